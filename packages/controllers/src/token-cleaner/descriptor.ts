import type { ControllerDescriptor } from '../descriptor.ts';
import { tokenCleanerController } from './controller.ts';

export const tokenCleaner: ControllerDescriptor = {
  name: 'tokencleaner',
  serviceAccount: 'token-cleaner',
  onByDefault: false,
  build: (context) => [tokenCleanerController(context)],
};
