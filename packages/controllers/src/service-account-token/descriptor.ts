import type { ControllerDescriptor } from '../descriptor.ts';
import { generatesTokens, tokenAccountsController } from './accounts-controller.ts';
import { tokenSecretsController } from './secrets-controller.ts';
import { TokenInformers } from './token-informers.ts';

/** Uses the identity of the manager: no role of a controller has access to the secrets of all namespaces. */
export const serviceAccountToken: ControllerDescriptor = {
  name: 'serviceaccount-token',
  onByDefault: true,
  build(context, options) {
    if (options.serviceAccountKey === undefined) return 'no key to sign service account tokens is configured';
    const tokens = new TokenInformers(context, { key: options.serviceAccountKey, rootCa: options.rootCa });
    return [
      tokenSecretsController(context, options, tokens),
      ...(generatesTokens(options) ? [tokenAccountsController(context, options, tokens)] : []),
    ];
  },
};
