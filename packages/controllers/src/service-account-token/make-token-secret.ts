import type { ApiObject, Env } from '@orch/machinery';
import { unless } from '../api/failures.ts';
import { referencedSecrets } from './references.ts';
import { filledSecret } from './token-secret.ts';
import type { TokenWorld } from './world.ts';

export interface WantedSecret {
  /** Refers to the secret, as it was last seen. */
  readonly account: ApiObject;
  readonly secretName: string;
  readonly env: Pick<Env, 'log'>;
}

/** Makes the token secret that an account refers to, unless it is there. */
export async function makeTokenSecret(
  world: TokenWorld,
  { account, secretName, env }: WantedSecret,
  signal: AbortSignal,
): Promise<void> {
  const { names } = world;
  const { namespace = '', name = '', uid = '' } = account.metadata;
  const { serviceAccountName, serviceAccountUid } = names.annotations;
  const empty: ApiObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace,
      name: secretName,
      annotations: { [serviceAccountName]: name, [serviceAccountUid]: uid },
    },
    type: names.secretTypes.serviceAccountToken,
  };
  const filled = filledSecret(empty, account, await world.material(), names) ?? empty;
  const secrets = world.secretsOf(namespace);
  const made = await unless(['AlreadyExists'], () => secrets.create(filled, {}, signal));
  if (made === undefined) return;
  env.log.info('a token secret was made for an account', { namespace, secret: secretName });
  await removeUnreferenced(world, { account, made }, signal);
}

/** Another manager may have replaced the reference meanwhile: it saw that a secret of that name was deleted. */
async function removeUnreferenced(
  world: TokenWorld,
  { account, made }: { readonly account: ApiObject; readonly made: ApiObject },
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name = '' } = account.metadata;
  const { name: secretName = '', uid = '' } = made.metadata;
  const live = await unless(['NotFound'], () => world.accountsOf(namespace).get(name, {}, signal));
  if (live !== undefined && referencedSecrets(live).includes(secretName)) return;
  await unless(['NotFound'], () =>
    world.secretsOf(namespace).delete(secretName, { preconditions: { uid } }, signal),
  );
}
