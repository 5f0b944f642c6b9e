import type { ControllerDescriptor } from '../descriptor.ts';
import { ttlAfterFinishedController } from './controller.ts';

const GATE = 'TTLAfterFinished';
/** The first 1.x release in which the feature gate is on by default. */
const SINCE_MINOR = 21;

export const ttlAfterFinished: ControllerDescriptor = {
  name: 'ttl-after-finished',
  serviceAccount: 'ttl-after-finished-controller',
  onByDefault: true,
  build(context, { release, featureGate, concurrency }) {
    const isEnabled = featureGate(GATE) ?? (release.major > 1 || release.minor >= SINCE_MINOR);
    if (!isEnabled) return `the feature gate ${GATE} is disabled`;
    return [ttlAfterFinishedController(context, { concurrency: concurrency.ttlAfterFinished })];
  },
};
