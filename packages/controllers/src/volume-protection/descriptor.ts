import type { ControllerDescriptor } from '../descriptor.ts';
import { claimProtectionController } from './claims-controller.ts';
import { volumeProtectionController } from './volumes-controller.ts';

export const pvcProtection: ControllerDescriptor = {
  name: 'pvc-protection',
  serviceAccount: 'pvc-protection-controller',
  onByDefault: true,
  build: (context) => [claimProtectionController(context)],
};

export const pvProtection: ControllerDescriptor = {
  name: 'pv-protection',
  serviceAccount: 'pv-protection-controller',
  onByDefault: true,
  build: (context) => [volumeProtectionController(context)],
};
