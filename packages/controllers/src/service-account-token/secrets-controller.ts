import {
  type Controller,
  type ControllerContext,
  controller,
  indexSource,
  informerSource,
  isBeingDeleted,
  type kinds,
  objectKey,
  splitKey,
} from '@orch/client';
import type { Logger } from '@orch/machinery';
import { ignoreReasons, ignoreTerminatingNamespace, preconditionsOf } from '../api/writes.ts';
import type { ControllerOptions } from '../options.ts';
import { generatesTokens } from './accounts-controller.ts';
import { isGeneratedName, withoutReferences } from './references.ts';
import { byAccount, bySecret, type TokenInformers } from './token-informers.ts';
import { accountOf, filledSecret } from './token-secret.ts';

type Secret = kinds.core.Secret;
type ServiceAccount = kinds.core.ServiceAccount;

/**
 * Maintains token secrets (spec 5.5): fills in missing fields, deletes those whose account is gone or was replaced, and
 * removes references to deleted ones from accounts.
 */
export function tokenSecretsController(
  { env }: ControllerContext,
  options: ControllerOptions,
  tokens: TokenInformers,
): Controller {
  const { secrets, accounts } = tokens;
  const tokenSecrets = new TokenSecrets(env.log, options, tokens);
  return controller({
    name: 'serviceaccount-token',
    sources: [
      informerSource(secrets),
      indexSource(accounts, {
        informer: secrets,
        index: byAccount,
        values: (account) => [objectKey(account)],
      }),
      ...(tokens.rootCertificates?.sources(() => [...secrets.store.values()].map(objectKey)) ?? []),
    ],
    concurrency: options.concurrency.serviceAccountToken,
    async reconcile(key, signal) {
      const secret = secrets.store.get(key);
      await ignoreTerminatingNamespace(() =>
        secret === undefined
          ? tokenSecrets.removeReferences(key, signal)
          : tokenSecrets.update(secret, signal),
      );
    },
  });
}

/** Every write carries the version that it was decided on, so that concurrent managers issue one token per secret. */
class TokenSecrets {
  readonly #log: Logger;
  readonly #tokens: TokenInformers;
  /** Whether references to generated names are replaced by the accounts controller instead of being removed. */
  readonly #replacesGenerated: boolean;

  constructor(log: Logger, options: ControllerOptions, tokens: TokenInformers) {
    this.#log = log;
    this.#tokens = tokens;
    this.#replacesGenerated = generatesTokens(options);
  }

  /** Fills in missing fields, or deletes a secret without its account. */
  async update(secret: Secret, signal: AbortSignal): Promise<void> {
    const { names } = this.#tokens;
    const named = accountOf(secret, names);
    if (named === undefined || isBeingDeleted(secret)) return;
    const account = await this.#tokens.findAccount(named, signal);
    if (account === undefined) return this.#delete(secret, signal);
    if (isBeingDeleted(account)) return;
    const material = await this.#tokens.material();
    const filled = await filledSecret(secret, account, { material, names });
    if (filled === undefined) return;
    const secrets = this.#tokens.secretsIn(named.namespace);
    await ignoreReasons(['NotFound'], () => secrets.update(filled, {}, signal));
  }

  async #delete({ metadata }: Secret, signal: AbortSignal): Promise<void> {
    const { namespace = '', name = '' } = metadata;
    const preconditions = preconditionsOf(metadata);
    const secrets = this.#tokens.secretsIn(namespace);
    await ignoreReasons(['NotFound'], () => secrets.delete(name, { preconditions }, signal));
    this.#log.info('deleted a token secret without its service account', { namespace, secret: name });
  }

  /** Removes the references to a deleted token secret. References to secrets of other types are left alone. */
  async removeReferences(key: string, signal: AbortSignal): Promise<void> {
    const { namespace = '', name: secretName } = splitKey(key);
    const referring = this.#tokens.accounts.store
      .byIndex(bySecret, key)
      .filter((account) => !this.#isReplaced(account, secretName));
    if (referring.length === 0) return;
    const secrets = this.#tokens.secretsIn(namespace);
    const secret = await ignoreReasons(['NotFound'], () => secrets.get(secretName, {}, signal));
    if (secret !== undefined) return;
    const accounts = this.#tokens.accountsIn(namespace);
    for (const { metadata } of referring) {
      const { name = '' } = metadata;
      const live = await ignoreReasons(['NotFound'], () => accounts.get(name, {}, signal));
      if (live === undefined) continue;
      const changed = withoutReferences(live, [secretName]);
      if (changed === live) continue;
      await ignoreReasons(['NotFound'], () => accounts.update(changed, {}, signal));
    }
  }

  #isReplaced({ metadata }: ServiceAccount, secretName: string): boolean {
    return this.#replacesGenerated && isGeneratedName(secretName, metadata.name ?? '');
  }
}
