import type { ControllerDescriptor } from '../descriptor.ts';
import { generatesTokens, tokenAccountsController } from './accounts-controller.ts';
import { tokenSecretsController } from './secrets-controller.ts';
import { TokenWorld } from './world.ts';

/** Works under the manager's own identity: no role of a control loop reaches the secrets of all namespaces. */
export const serviceAccountToken: ControllerDescriptor = {
  name: 'serviceaccount-token',
  onByDefault: true,
  build(context, options) {
    if (options.serviceAccountKey === undefined) return 'no key to sign tokens of service accounts was given';
    const world = new TokenWorld(context, options.serviceAccountKey, options.rootCa);
    return [
      tokenSecretsController(context, options, world),
      ...(generatesTokens(options) ? [tokenAccountsController(context, options, world)] : []),
    ];
  },
};
