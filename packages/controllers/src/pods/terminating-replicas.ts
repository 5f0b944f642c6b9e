import type { ControllerOptions } from '../options.ts';
import { isSince } from '../since-release.ts';

const GATE = 'DeploymentReplicaSetTerminatingReplicas';
/** The first 1.x release in which the feature gate is on by default. */
const SINCE_MINOR = 35;

/** Reports whether the status of ReplicaSets and Deployments has the number of pods that are being deleted. */
export const showsTerminating = ({ release, featureGate }: ControllerOptions): boolean =>
  featureGate(GATE) ?? isSince(release, SINCE_MINOR);
