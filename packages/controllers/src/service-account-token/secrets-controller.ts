import {
  type Controller,
  type ControllerContext,
  controller,
  indexSource,
  informerSource,
  isBeingDeleted,
  objectKey,
  splitKey,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { isEndingNamespace, unless } from '../api/failures.ts';
import type { ControllerOptions } from '../options.ts';
import { generatesTokens } from './accounts-controller.ts';
import { isGeneratedName, withoutReference } from './references.ts';
import { accountOf, filledSecret } from './token-secret.ts';
import { byAccount, bySecret, type TokenWorld } from './world.ts';

/**
 * Token secrets (spec 5.5): fills in what is missing, deletes those whose account is gone or another one, and takes
 * references to deleted ones out of their accounts. Every write carries what it was decided on, so that a token is issued
 * once however many managers there are.
 */
export function tokenSecretsController(
  context: ControllerContext,
  options: ControllerOptions,
  world: TokenWorld,
): Controller {
  const { env } = context;
  const { names, secrets, accounts } = world;
  const { log } = env;

  const remove = async ({ metadata }: ApiObject, signal: AbortSignal): Promise<void> => {
    const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
    const preconditions = { uid, resourceVersion };
    await unless(['NotFound'], () => world.secretsOf(namespace).delete(name, { preconditions }, signal));
    log.info('a token secret without its account was deleted', { namespace, secret: name });
  };

  const bringUpToDate = async (secret: ApiObject, signal: AbortSignal): Promise<void> => {
    const named = accountOf(secret, names);
    if (named === undefined || isBeingDeleted(secret)) return;
    const account = await world.liveAccount(named, signal);
    if (account === undefined) return remove(secret, signal);
    if (isBeingDeleted(account)) return;
    const filled = filledSecret(secret, account, await world.material(), names);
    if (filled === undefined) return;
    await unless(['NotFound'], () => world.secretsOf(named.namespace).update(filled, {}, signal));
  };

  /**
   * Only secrets that were token secrets come here: references to others are nobody's business. Where accounts are given
   * tokens, references to what was made for them are replaced by the controller that makes them.
   */
  const forget = async (key: string, signal: AbortSignal): Promise<void> => {
    const { namespace = '', name: secretName } = splitKey(key);
    const referring = accounts.store.byIndex(bySecret, key);
    if (referring.length === 0) return;
    const isThere = await unless(['NotFound'], () => world.secretsOf(namespace).get(secretName, {}, signal));
    if (isThere !== undefined) return;
    for (const { metadata } of referring) {
      if (generatesTokens(options) && isGeneratedName(secretName, metadata.name ?? '')) continue;
      const live = await unless(['NotFound'], () =>
        world.accountsOf(namespace).get(metadata.name ?? '', {}, signal),
      );
      const changed = live === undefined ? undefined : withoutReference(live, secretName);
      if (changed !== undefined)
        await unless(['NotFound'], () => world.accountsOf(namespace).update(changed, {}, signal));
    }
  };

  return controller({
    name: 'serviceaccount-token',
    sources: [
      informerSource(secrets),
      indexSource(accounts, {
        informer: secrets,
        index: byAccount,
        values: (account) => [objectKey(account)],
      }),
      ...(world.rootCertificates?.sources(() => [...secrets.store.values()].map(objectKey)) ?? []),
    ],
    concurrency: options.concurrency.serviceAccountToken,
    async reconcile(key, signal) {
      const secret = secrets.store.get(key);
      try {
        await (secret === undefined ? forget(key, signal) : bringUpToDate(secret, signal));
      } catch (error) {
        if (!isEndingNamespace(error)) throw error;
      }
    },
  });
}
