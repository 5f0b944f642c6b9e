import type { ControllerDescriptor } from '../descriptor.ts';
import { deploymentController } from './controller.ts';

export const deployment: ControllerDescriptor = {
  name: 'deployment',
  serviceAccount: 'deployment-controller',
  onByDefault: false,
  build: (context) => [deploymentController(context)],
};
