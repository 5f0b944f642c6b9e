import type { ControllerDescriptor } from '../descriptor.ts';
import { isSince } from '../since-release.ts';
import { jobController } from './controller.ts';

const BACKOFF_MS = 10_000;
const BATCH_MS = 1000;
const GATE = 'JobTrackingWithFinalizers';
/** The first 1.x release in which the feature gate is on by default. */
const SINCE_MINOR = 25;
/** The first 1.x release whose pods of indexed jobs have a label with their number. */
const LABEL_SINCE_MINOR = 28;
/** The first 1.x release whose jobs end only when their pods have ended. */
const WAIT_SINCE_MINOR = 31;

export const job: ControllerDescriptor = {
  name: 'job',
  serviceAccount: 'job-controller',
  onByDefault: false,
  build(context, { jobs, release, featureGate }) {
    const isTracked = featureGate(GATE) ?? isSince(release, SINCE_MINOR);
    const hasIndexLabel = featureGate('PodIndexLabel') ?? isSince(release, LABEL_SINCE_MINOR);
    const { backoffMs = BACKOFF_MS, batchMs = BATCH_MS } = jobs ?? {};
    const waitsForPods = isSince(release, WAIT_SINCE_MINOR);
    return [jobController(context, { backoffMs, batchMs, isTracked, hasIndexLabel, waitsForPods })];
  },
};
