import type { ControllerDescriptor } from '../descriptor.ts';
import { podGroupProtectionController } from './controller.ts';

export const podGroupProtection: ControllerDescriptor = {
  name: 'podgroup-protection-controller',
  serviceAccount: 'podgroup-protection-controller',
  onByDefault: true,
  build: (context) => [podGroupProtectionController(context)],
};
