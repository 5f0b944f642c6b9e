import type { ControllerDescriptor } from '../descriptor.ts';
import { jobController } from './controller.ts';

const BACKOFF_MS = 10_000;
const GATE = 'JobTrackingWithFinalizers';
/** The first 1.x release in which the feature gate is on by default. */
const SINCE_MINOR = 25;

export const job: ControllerDescriptor = {
  name: 'job',
  serviceAccount: 'job-controller',
  onByDefault: false,
  build(context, { jobs, release, featureGate }) {
    const isTracked = featureGate(GATE) ?? (release.major > 1 || release.minor >= SINCE_MINOR);
    return [jobController(context, { backoffMs: jobs?.backoffMs ?? BACKOFF_MS, isTracked })];
  },
};
