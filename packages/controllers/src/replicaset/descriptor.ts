import type { ControllerDescriptor } from '../descriptor.ts';
import { showsTerminating } from '../pods/terminating-replicas.ts';
import { replicaSetController } from './controller.ts';

export const replicaSet: ControllerDescriptor = {
  name: 'replicaset',
  serviceAccount: 'replicaset-controller',
  onByDefault: false,
  build: (context, options) => [
    replicaSetController(context, { showsTerminating: showsTerminating(options) }),
  ],
};
