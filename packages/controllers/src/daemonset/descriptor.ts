import type { ControllerDescriptor } from '../descriptor.ts';
import { daemonSetController } from './controller.ts';

export const daemonSet: ControllerDescriptor = {
  name: 'daemonset',
  serviceAccount: 'daemon-set-controller',
  component: 'daemonset-controller',
  onByDefault: false,
  build: (context) => [daemonSetController(context)],
};
