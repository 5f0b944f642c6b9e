import type { ControllerDescriptor } from '../descriptor.ts';
import { isSince } from '../since-release.ts';
import { claimProtectionController } from './claims-controller.ts';
import { volumeProtectionController } from './volumes-controller.ts';

/** The first 1.x release whose claims tell since when they are unused. */
const UNUSED_SINCE_MINOR = 37;

export const pvcProtection: ControllerDescriptor = {
  name: 'pvc-protection',
  serviceAccount: 'pvc-protection-controller',
  onByDefault: true,
  build: (context, { release }) => [
    claimProtectionController(context, { tracksUse: isSince(release, UNUSED_SINCE_MINOR) }),
  ],
};

export const pvProtection: ControllerDescriptor = {
  name: 'pv-protection',
  serviceAccount: 'pv-protection-controller',
  onByDefault: true,
  build: (context) => [volumeProtectionController(context)],
};
