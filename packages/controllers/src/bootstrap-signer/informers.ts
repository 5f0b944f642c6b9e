import type { ControllerContext, Informer } from '@orch/client';
import { secrets } from '../api/resources.ts';

/** The secrets that hold bootstrap tokens. */
export const bootstrapTokens = ({ client, informers }: ControllerContext): Informer =>
  informers.informer(secrets, {
    namespace: client.names.namespaces.system,
    fieldSelector: `type=${client.names.secretTypes.bootstrapToken}`,
  });
