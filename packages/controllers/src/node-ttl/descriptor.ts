import type { ControllerDescriptor } from '../descriptor.ts';
import { nodeTtlController } from './controller.ts';

export const nodeTtl: ControllerDescriptor = {
  name: 'ttl',
  serviceAccount: 'ttl-controller',
  onByDefault: true,
  build: (context) => [nodeTtlController(context)],
};
