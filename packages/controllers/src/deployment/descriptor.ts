import type { ControllerDescriptor } from '../descriptor.ts';
import { showsTerminating } from '../pods/terminating-replicas.ts';
import { deploymentController } from './controller.ts';

export const deployment: ControllerDescriptor = {
  name: 'deployment',
  serviceAccount: 'deployment-controller',
  onByDefault: false,
  build: (context, options) => [
    deploymentController(context, { showsTerminating: showsTerminating(options) }),
  ],
};
