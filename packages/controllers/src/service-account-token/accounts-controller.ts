import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  keyOf,
  type kinds,
  objectKey,
  splitKey,
} from '@orch/client';
import type { Env } from '@orch/machinery';
import { ignoreReasons, ignoreTerminatingNamespace } from '../api/writes.ts';
import type { ControllerOptions } from '../options.ts';
import { DeletedTokens } from './deleted-tokens.ts';
import { makeTokenSecret } from './make-token-secret.ts';
import {
  generatedName,
  isGeneratedName,
  referencedSecrets,
  withoutReferences,
  withReference,
} from './references.ts';
import type { TokenInformers } from './token-informers.ts';
import { accountOf, isNamed } from './token-secret.ts';

type ServiceAccount = kinds.core.ServiceAccount;

/**
 * Reports whether every account gets a token secret (spec 5.5). This is the default in releases before 1.24, in which
 * pods had no other token; the feature gate overrides it.
 */
export const generatesTokens = ({
  release,
  featureGate,
}: Pick<ControllerOptions, 'release' | 'featureGate'>): boolean => {
  const isOff = featureGate('LegacyServiceAccountTokenNoAutoGeneration');
  return !(isOff ?? (release.major > 1 || release.minor >= 24));
};

/** Creates a token secret for every account that refers to none. */
export function tokenAccountsController(
  { env }: ControllerContext,
  options: ControllerOptions,
  tokens: TokenInformers,
): Controller {
  const { accounts, secrets, names } = tokens;
  const deleted = new DeletedTokens(names);
  const accountTokens = new AccountTokens(env, tokens, deleted);
  return controller({
    name: 'serviceaccount-token-generation',
    sources: [
      informerSource(accounts, { filter: ({ type }) => type !== 'deleted' }),
      informerSource(secrets, {
        filter: ({ type }) => type === 'deleted',
        keys: (secret) => {
          const account = deleted.add(secret);
          return account === undefined ? [] : [account];
        },
      }),
    ],
    concurrency: options.concurrency.serviceAccountToken,
    reconcile: (key, signal) => accountTokens.reconcile(key, signal),
  });
}

/** The secrets that an account refers to. */
interface ReferencedSecrets {
  /** Whether one of the secrets has a token of the account. */
  readonly hasToken: boolean;
  /** A secret of a generated name that is still to be created. */
  readonly missing: string | undefined;
  /** Secrets of generated names that were deleted. */
  readonly deleted: readonly string[];
}

/**
 * Gives every account a token secret and a reference to it, unless it refers to one already. The reference is written
 * first: this single write, in which only one manager succeeds, chooses the name of the secret. A manager that finds a
 * reference without its secret creates that secret, so that the work continues after any interruption. A reference
 * whose secret was deleted is replaced instead.
 */
class AccountTokens {
  readonly #env: Env;
  readonly #tokens: TokenInformers;
  readonly #deleted: DeletedTokens;

  constructor(env: Env, tokens: TokenInformers, deleted: DeletedTokens) {
    this.#env = env;
    this.#tokens = tokens;
    this.#deleted = deleted;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<undefined> {
    const { namespace = '', name } = splitKey(key);
    const cached = this.#tokens.accounts.store.get(key);
    const deleted = [...this.#deleted.of(key)];
    if (cached !== undefined && deleted.length === 0 && (await this.#referenced(cached, signal)).hasToken)
      return;
    const accounts = this.#tokens.accountsIn(namespace);
    const account = cached && (await ignoreReasons(['NotFound'], () => accounts.get(name, {}, signal)));
    if (account === undefined || isBeingDeleted(account)) {
      this.#deleted.forget(key, deleted);
      return;
    }
    await ignoreTerminatingNamespace(() =>
      ignoreReasons(['NotFound'], () => this.#ensureToken(account, signal)),
    );
  }

  async #referenced(account: ServiceAccount, signal: AbortSignal): Promise<ReferencedSecrets> {
    const { namespace = '', name = '' } = account.metadata;
    const absent: string[] = [];
    let hasToken = false;
    for (const secretName of referencedSecrets(account)) {
      const secret = await this.#tokens.findSecret(namespace, secretName, signal);
      const named = secret === undefined ? undefined : accountOf(secret, this.#tokens.names);
      hasToken ||= named !== undefined && isNamed(account, named);
      if (secret === undefined && isGeneratedName(secretName, name)) absent.push(secretName);
    }
    const deleted = this.#deleted.of(keyOf(namespace, name));
    return {
      hasToken,
      missing: absent.find((secretName) => !deleted.has(secretName)),
      deleted: absent.filter((secretName) => deleted.has(secretName)),
    };
  }

  async #ensureToken(account: ServiceAccount, signal: AbortSignal): Promise<void> {
    const { namespace = '', name = '' } = account.metadata;
    const key = objectKey(account);
    const handled = [...this.#deleted.of(key)];
    const { hasToken, missing, deleted } = await this.#referenced(account, signal);
    const kept = withoutReferences(account, deleted);
    const secretName = missing ?? generatedName(name, this.#env.random);
    const next = hasToken || missing !== undefined ? kept : withReference(kept, secretName);
    const accounts = this.#tokens.accountsIn(namespace);
    const written = next === account ? account : await accounts.update(next, {}, signal);
    this.#deleted.forget(key, handled);
    if (hasToken) return;
    await makeTokenSecret(this.#tokens, { account: written, secretName, log: this.#env.log }, signal);
  }
}
