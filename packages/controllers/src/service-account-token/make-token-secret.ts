import type { kinds } from '@orch/client';
import type { Logger } from '@orch/machinery';
import { ignoreReasons } from '../api/writes.ts';
import { referencedSecrets } from './references.ts';
import type { TokenInformers } from './token-informers.ts';
import { filledSecret } from './token-secret.ts';

type Secret = kinds.core.Secret;
type ServiceAccount = kinds.core.ServiceAccount;

export interface WantedSecret {
  /** Refers to the secret. */
  readonly account: ServiceAccount;
  readonly secretName: string;
  readonly log: Logger;
}

/** Creates the token secret that an account refers to, unless it exists. */
export async function makeTokenSecret(
  tokens: TokenInformers,
  { account, secretName, log }: WantedSecret,
  signal: AbortSignal,
): Promise<void> {
  const { names } = tokens;
  const { namespace = '', name = '', uid = '' } = account.metadata;
  const { serviceAccountName, serviceAccountUid } = names.annotations;
  const empty: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace,
      name: secretName,
      annotations: { [serviceAccountName]: name, [serviceAccountUid]: uid },
    },
    type: names.secretTypes.serviceAccountToken,
  };
  const material = await tokens.material();
  const filled = (await filledSecret(empty, account, { material, names })) ?? empty;
  const secrets = tokens.secretsIn(namespace);
  const created = await ignoreReasons(['AlreadyExists'], () => secrets.create(filled, {}, signal));
  if (created === undefined) return;
  log.info('created a token secret for a service account', { namespace, secret: secretName });
  await removeUnreferenced(tokens, { account, created }, signal);
}

/** Another manager that observed a deletion of this secret may have replaced the reference meanwhile. */
async function removeUnreferenced(
  tokens: TokenInformers,
  { account, created }: { readonly account: ServiceAccount; readonly created: Secret },
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name = '' } = account.metadata;
  const { name: secretName = '', uid = '' } = created.metadata;
  const live = await ignoreReasons(['NotFound'], () => tokens.accountsIn(namespace).get(name, {}, signal));
  if (live !== undefined && referencedSecrets(live).includes(secretName)) return;
  await ignoreReasons(['NotFound'], () =>
    tokens.secretsIn(namespace).delete(secretName, { preconditions: { uid } }, signal),
  );
}
