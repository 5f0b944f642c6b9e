import type { ControllerDescriptor } from '../descriptor.ts';
import { serviceAccountController } from './controller.ts';

export const serviceAccount: ControllerDescriptor = {
  name: 'serviceaccount',
  serviceAccount: 'service-account-controller',
  onByDefault: true,
  build: (context) => [serviceAccountController(context)],
};
