import type { ControllerDescriptor } from '../descriptor.ts';
import { rootCaController } from './controller.ts';

export const rootCaPublisher: ControllerDescriptor = {
  name: 'root-ca-cert-publisher',
  serviceAccount: 'root-ca-cert-publisher',
  onByDefault: true,
  build: (context, { rootCa }) =>
    rootCa === undefined ? 'no root certificate is configured' : [rootCaController(context, rootCa)],
};
