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
import { DeletedTokens } from './deleted-tokens.ts';
import { makeTokenSecret } from './make-token-secret.ts';
import {
  generatedName,
  isGeneratedName,
  referencedSecrets,
  withoutReference,
  withReference,
} from './references.ts';
import { accountOf, isNamed } from './token-secret.ts';
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

/** What an account refers to. */
interface Referenced {
  /** Whether one of the secrets holds a token of the account. */
  readonly hasToken: boolean;
  /** A secret that is still to be made. */
  readonly missing: string | undefined;
  /** Secrets of generated names that were deleted. */
  readonly deleted: readonly string[];
}

/** The account without references to deleted secrets; the same object when it has none. */
const withoutDeleted = (account: ApiObject, deleted: readonly string[]): ApiObject =>
  deleted.reduce((kept, secretName) => withoutReference(kept, secretName) ?? kept, account);

/**
 * Gives every account a token secret and a reference to it, unless it refers to one already. The reference comes first:
 * it is what decides on a name, by one write that only one manager can win; whoever sees a reference without its secret,
 * after whatever happened in between, makes the secret of that name. Where the secret was seen to be deleted, the
 * reference is replaced instead.
 */
export function tokenAccountsController(
  context: ControllerContext,
  options: ControllerOptions,
  world: TokenWorld,
): Controller {
  const { env } = context;
  const { names, secrets, accounts } = world;
  const deletedTokens = new DeletedTokens(names);

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
    const absent: string[] = [];
    let hasToken = false;
    for (const secretName of referencedSecrets(account)) {
      const secret = await secretNamed(namespace, secretName, signal);
      const named = secret === undefined ? undefined : accountOf(secret, names);
      hasToken ||= named !== undefined && isNamed(account, named);
      if (secret === undefined && isGeneratedName(secretName, name)) absent.push(secretName);
    }
    const gone = deletedTokens.of(keyOf(namespace, name));
    return {
      hasToken,
      missing: absent.find((secretName) => !gone.has(secretName)),
      deleted: absent.filter((secretName) => gone.has(secretName)),
    };
  };

  const ensure = async (account: ApiObject, signal: AbortSignal): Promise<void> => {
    const { namespace = '', name = '' } = account.metadata;
    const key = keyOf(namespace, name);
    const seen = [...deletedTokens.of(key)];
    const { hasToken, missing, deleted } = await referenced(account, signal);
    const kept = withoutDeleted(account, deleted);
    const secretName = missing ?? generatedName(name, env.random);
    const next = hasToken || missing !== undefined ? kept : withReference(kept, secretName);
    const written = next === account ? account : await world.accountsOf(namespace).update(next, {}, signal);
    deletedTokens.settle(key, seen);
    if (!hasToken) await makeTokenSecret(world, { account: written, secretName, env }, signal);
  };

  return controller({
    name: 'serviceaccount-token-generation',
    sources: [
      informerSource(accounts, { filter: ({ type }) => type !== 'deleted' }),
      informerSource(secrets, {
        filter: ({ type }) => type === 'deleted',
        keys: (secret: ApiObject) => {
          const account = deletedTokens.add(secret);
          return account === undefined ? [] : [account];
        },
      }),
    ],
    concurrency: options.concurrency.serviceAccountToken,
    async reconcile(key, signal) {
      const { namespace = '', name } = splitKey(key);
      const known = accounts.store.get(key);
      const deleted = [...deletedTokens.of(key)];
      if (known !== undefined && deleted.length === 0 && (await referenced(known, signal)).hasToken) return;
      const account =
        known && (await unless(['NotFound'], () => world.accountsOf(namespace).get(name, {}, signal)));
      if (account === undefined || isBeingDeleted(account)) {
        deletedTokens.settle(key, deleted);
        return;
      }
      try {
        await unless(['NotFound'], () => ensure(account, signal));
      } catch (error) {
        if (!isEndingNamespace(error)) throw error;
      }
    },
  });
}
