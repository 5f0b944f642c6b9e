import type { ControllerDescriptor } from '../descriptor.ts';
import { statefulSetController } from './controller.ts';

export const statefulSet: ControllerDescriptor = {
  name: 'statefulset',
  serviceAccount: 'statefulset-controller',
  onByDefault: false,
  build: (context) => [statefulSetController(context)],
};
