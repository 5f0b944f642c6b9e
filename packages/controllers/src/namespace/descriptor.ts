import type { ControllerDescriptor } from '../descriptor.ts';
import { namespaceController } from './controller.ts';

export const namespace: ControllerDescriptor = {
  name: 'namespace',
  serviceAccount: 'namespace-controller',
  onByDefault: true,
  build: (context, options) => [
    namespaceController(context, { ...options.namespace, concurrency: options.concurrency.namespace }),
  ],
};
