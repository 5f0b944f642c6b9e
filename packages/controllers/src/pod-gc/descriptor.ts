import type { ControllerDescriptor } from '../descriptor.ts';
import { podGcController } from './controller.ts';

const GATE = 'NodeOutOfServiceVolumeDetach';
/** The first 1.x release in which the feature gate is on by default. */
const SINCE_MINOR = 26;

export const podGc: ControllerDescriptor = {
  name: 'podgc',
  serviceAccount: 'pod-garbage-collector',
  onByDefault: true,
  build(context, { podGc, release, featureGate }) {
    const removesOutOfService = featureGate(GATE) ?? (release.major > 1 || release.minor >= SINCE_MINOR);
    return [podGcController(context, { ...podGc, removesOutOfService })];
  },
};
