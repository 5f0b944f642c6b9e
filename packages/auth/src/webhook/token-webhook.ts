import { createHash } from 'node:crypto';
import type { Clock, Metrics } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { asStrings, isJsonObject } from '@orch/machinery/json';
import { sharedAudiences } from '../audiences.ts';
import { bearerToken } from '../bearer.ts';
import { TokenCacheMetrics } from '../token-cache-metrics.ts';
import type { Authentication, Authenticator, UserInfo } from '../types.ts';
import type { Remote } from './remote.ts';
import { RemoteError } from './remote-error.ts';

/** Options of `tokenWebhookAuthenticator`. */
export interface TokenWebhookOptions {
  readonly remote: Remote;
  /** API version of the reviews that are sent, with the group. */
  readonly apiVersion: string;
  /** Audiences of this server, which reviews contain; empty when there are none. */
  readonly audiences: readonly string[];
  readonly ttlMs: number;
  readonly implicitGroup: string;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

const none: Authentication = { kind: 'none' };
const rejected = (reason: string): Authentication => ({ kind: 'rejected', reason });
/** Cached answers. */
const MAX_CACHED = 10_000;
/** Characters of the service's error that are kept. */
const MAX_ERROR_CHARACTERS = 1024;

/**
 * Authenticates bearer tokens by a webhook (access-control document, 4.2 and 5.7). Its answers, positive or negative, are
 * cached for a time by the digest of the token; failed requests are not cached.
 */
export function tokenWebhookAuthenticator(options: TokenWebhookOptions): Authenticator {
  const { remote, apiVersion, ttlMs, clock } = options;
  const cache = new TokenCacheMetrics(options.metrics, clock);
  const answers = new BoundedCache<string, Authentication>({
    maxEntries: MAX_CACHED,
    expiry: { ttlMs, clock },
  });

  async function review(
    key: string,
    token: string,
    wanted: readonly string[],
    signal: AbortSignal,
  ): Promise<Authentication> {
    const spec = { token, ...(wanted.length === 0 ? {} : { audiences: wanted }) };
    let answer: unknown;
    try {
      answer = await remote.query(key, { apiVersion, kind: 'TokenReview', spec }, signal);
    } catch (error) {
      if (error instanceof RemoteError) return rejected(`the token webhook: ${error.message}`);
      throw error;
    }
    const outcome = outcomeOf(answer, wanted, options);
    if (outcome === undefined)
      return rejected(`the token webhook: its response is not an ${apiVersion} TokenReview`);
    if (ttlMs > 0) answers.set(key, outcome);
    return outcome;
  }

  return {
    authenticate({ headers, signal, audiences }) {
      const token = bearerToken(headers.authorization);
      if (token === undefined) return none;
      const wanted = audiences === undefined || audiences.length === 0 ? options.audiences : audiences;
      const key = createHash('sha256')
        .update(token)
        .update('\n')
        .update(JSON.stringify(wanted))
        .digest('base64');
      const began = cache.begin();
      const known = answers.get(key);
      if (known === undefined) return cache.during(key, began, review(key, token, wanted, signal));
      cache.hit(began);
      return known;
    },
  };
}

/** Undefined for an invalid response. */
function outcomeOf(
  answer: unknown,
  wanted: readonly string[],
  { apiVersion, audiences, implicitGroup }: TokenWebhookOptions,
): Authentication | undefined {
  if (!isJsonObject(answer) || answer['apiVersion'] !== apiVersion || answer['kind'] !== 'TokenReview')
    return undefined;
  const { status } = answer;
  if (!isJsonObject(status)) return undefined;
  if (status['authenticated'] !== true) {
    const { error } = status;
    if (typeof error !== 'string' || error === '')
      return rejected('the token webhook does not know the token');
    const clientMessage = error.slice(0, MAX_ERROR_CHARACTERS);
    return { kind: 'rejected', reason: clientMessage, clientMessage };
  }
  const user = userOf(status['user'], implicitGroup);
  if (user === undefined) return undefined;
  const reported = asStrings(status['audiences']);
  const accepted = sharedAudiences(wanted, reported.length > 0 ? reported : audiences, audiences);
  if (wanted.length > 0 && accepted.length === 0)
    return rejected('the token is not meant for any of the audiences');
  return { kind: 'user', user, ...(wanted.length === 0 ? {} : { audiences: accepted }) };
}

function userOf(value: unknown, implicitGroup: string): UserInfo | undefined {
  if (!isJsonObject(value)) return undefined;
  const { username, uid, groups, extra } = value;
  if (typeof username !== 'string' || username === '') return undefined;
  return {
    name: username,
    uid: typeof uid === 'string' ? uid : '',
    groups: [...new Set([...asStrings(groups), implicitGroup])],
    extra: isJsonObject(extra)
      ? Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, asStrings(values)]))
      : {},
  };
}
