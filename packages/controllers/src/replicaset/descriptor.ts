import type { ControllerDescriptor } from '../descriptor.ts';
import { replicaSetController } from './controller.ts';

export const replicaSet: ControllerDescriptor = {
  name: 'replicaset',
  serviceAccount: 'replicaset-controller',
  onByDefault: false,
  build: (context) => [replicaSetController(context)],
};
