import type { ControllerDescriptor } from '../descriptor.ts';
import { approvingController } from './approving-controller.ts';
import { cleaningController } from './cleaning-controller.ts';
import { signingController } from './signing-controller.ts';

const serviceAccount = 'certificate-controller';

export const csrApproving: ControllerDescriptor = {
  name: 'csrapproving',
  serviceAccount,
  onByDefault: true,
  build: (context, options) => [approvingController(context, options)],
};

export const csrSigning: ControllerDescriptor = {
  name: 'csrsigning',
  serviceAccount,
  onByDefault: true,
  build: (context, options) =>
    Object.keys(options.signing.authorities).length === 0
      ? 'no certificate and key for signing are configured'
      : [signingController(context, options)],
};

export const csrCleaner: ControllerDescriptor = {
  name: 'csrcleaner',
  serviceAccount,
  onByDefault: true,
  build: (context, options) => [cleaningController(context, options)],
};
