import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  keyOf,
  splitKey,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { isEndingNamespace, unless } from '../api/failures.ts';
import type { ControllerOptions } from '../options.ts';
import { generatedName, isGeneratedName, referencedSecrets, withReference } from './references.ts';
import { accountOf, filledSecret, isNamed } from './token-secret.ts';
import type { TokenWorld } from './world.ts';

/**
 * Whether accounts get a token secret each (spec 5.5): so in the releases before 1.24, in which pods had no other token,
 * unless the feature gate says otherwise.
 */
export const generatesTokens = ({
  release,
  featureGate,
}: Pick<ControllerOptions, 'release' | 'featureGate'>): boolean => {
  const isOff = featureGate('LegacyServiceAccountTokenNoAutoGeneration');
  return !(isOff ?? (release.major > 1 || release.minor >= 24));
};

/** What an account refers to: a token of its own, and if not, perhaps a secret that is still to be made. */
type Referenced =
  | { readonly is: 'token' | 'nothing' }
  | { readonly is: 'missing'; readonly secretName: string };

/**
 * Gives every account a token secret and a reference to it, unless it refers to one already. The reference comes first:
 * it is what decides on a name, by one write that only one manager can win; whoever sees a reference without its secret,
 * after whatever happened in between, makes the secret of that name.
 */
export function tokenAccountsController(
  context: ControllerContext,
  options: ControllerOptions,
  world: TokenWorld,
): Controller {
  const { env } = context;
  const { names, secrets, accounts } = world;

  /** The secret of a name; asks the server when the informer does not know it. */
  const secretNamed = (
    namespace: string,
    name: string,
    signal: AbortSignal,
  ): Promise<ApiObject | undefined> => {
    const known = secrets.store.get(keyOf(namespace, name));
    return known === undefined
      ? unless(['NotFound'], () => world.secretsOf(namespace).get(name, {}, signal))
      : Promise.resolve(known);
  };

  const referenced = async (account: ApiObject, signal: AbortSignal): Promise<Referenced> => {
    const { namespace = '', name = '' } = account.metadata;
    let missing: Referenced = { is: 'nothing' };
    for (const secretName of referencedSecrets(account)) {
      const secret = await secretNamed(namespace, secretName, signal);
      const named = secret === undefined ? undefined : accountOf(secret, names);
      if (named !== undefined && isNamed(account, named)) return { is: 'token' };
      if (secret === undefined && missing.is === 'nothing' && isGeneratedName(secretName, name))
        missing = { is: 'missing', secretName };
    }
    return missing;
  };

  const make = async (account: ApiObject, secretName: string, signal: AbortSignal): Promise<void> => {
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
    await unless(['AlreadyExists'], () => world.secretsOf(namespace).create(filled, {}, signal));
    env.log.info('a token secret was made for an account', { namespace, secret: secretName });
  };

  const ensure = async (account: ApiObject, signal: AbortSignal): Promise<void> => {
    const { namespace = '', name = '' } = account.metadata;
    const found = await referenced(account, signal);
    if (found.is === 'token') return;
    if (found.is === 'missing') return make(account, found.secretName, signal);
    const secretName = generatedName(name, env.random);
    const referring = withReference(account, secretName);
    await make(await world.accountsOf(namespace).update(referring, {}, signal), secretName, signal);
  };

  return controller({
    name: 'serviceaccount-token-generation',
    sources: [
      informerSource(accounts, { filter: ({ type }) => type !== 'deleted' }),
      informerSource(secrets, {
        filter: ({ type }) => type === 'deleted',
        keys: (secret: ApiObject) => {
          const named = accountOf(secret, names);
          return named === undefined ? [] : [keyOf(named.namespace, named.name)];
        },
      }),
    ],
    concurrency: options.concurrency.serviceAccountToken,
    async reconcile(key, signal) {
      const { namespace = '', name } = splitKey(key);
      const known = accounts.store.get(key);
      if (known === undefined || (await referenced(known, signal)).is === 'token') return;
      const account = await unless(['NotFound'], () => world.accountsOf(namespace).get(name, {}, signal));
      if (account === undefined || isBeingDeleted(account)) return;
      try {
        await unless(['NotFound'], () => ensure(account, signal));
      } catch (error) {
        if (!isEndingNamespace(error)) throw error;
      }
    },
  });
}
