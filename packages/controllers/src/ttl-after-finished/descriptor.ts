import type { ControllerDescriptor } from '../descriptor.ts';
import { ttlAfterFinishedController } from './controller.ts';

const GATE = 'TTLAfterFinished';
/** The first 1.x release whose jobs can say it without anybody opening the gate. */
const SINCE_MINOR = 21;

export const ttlAfterFinished: ControllerDescriptor = {
  name: 'ttl-after-finished',
  serviceAccount: 'ttl-after-finished-controller',
  onByDefault: true,
  build(context, { release, featureGate, concurrency }) {
    const isOpen = featureGate(GATE) ?? (release.major > 1 || release.minor >= SINCE_MINOR);
    if (!isOpen) return `the feature gate ${GATE} is closed`;
    return [ttlAfterFinishedController(context, { concurrency: concurrency.ttlAfterFinished })];
  },
};
