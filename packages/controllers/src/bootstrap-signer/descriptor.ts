import type { ControllerDescriptor } from '../descriptor.ts';
import { bootstrapSignerController } from './controller.ts';

export const bootstrapSigner: ControllerDescriptor = {
  name: 'bootstrapsigner',
  serviceAccount: 'bootstrap-signer',
  onByDefault: false,
  build: (context) => [bootstrapSignerController(context)],
};
