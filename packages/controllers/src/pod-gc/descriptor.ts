import type { ControllerDescriptor } from '../descriptor.ts';
import { podGcController } from './controller.ts';

const GATE = 'NodeOutOfServiceVolumeDetach';
/** The first 1.x release in which pods of nodes that are out of service are ended without anybody opening the gate. */
const SINCE_MINOR = 26;

export const podGc: ControllerDescriptor = {
  name: 'podgc',
  serviceAccount: 'pod-garbage-collector',
  onByDefault: true,
  build(context, { podGc, release, featureGate }) {
    const endsOutOfService = featureGate(GATE) ?? (release.major > 1 || release.minor >= SINCE_MINOR);
    return [podGcController(context, { ...podGc, endsOutOfService })];
  },
};
