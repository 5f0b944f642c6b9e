import { type Clock, type Logger, messageOf } from '@orch/machinery';
import { abortable, withDeadline } from '@orch/machinery/concurrency';
import { isJsonObject } from '@orch/machinery/json';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, errors as jose } from 'jose';
import { ProviderError, type ReadJson } from './read-json.ts';

const TIMEOUT_MS = 10_000;
/** Maximum age of the keys: after it they are read again, so that a withdrawn key becomes invalid. */
const MAX_AGE_MS = 10 * 60_000;
/** Minimum time between reads of the keys that tokens with unknown keys cause. */
const PAUSE_MS = 5_000;

export interface ProviderOptions {
  readonly issuer: string;
  /** URL of the issuer's metadata; below its URL when it is undefined. */
  readonly discoveryUrl?: string | undefined;
  readonly read: ReadJson;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

const discoveryUrlOf = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/**
 * The keys of an identity provider, found by discovery (access-control document, 5.6). Read at first use, again when none of them has
 * signed a token, and in the background after half of `MAX_AGE_MS`; concurrent callers share one request. While the provider fails,
 * tokens do not wait for it, and its last keys remain in use.
 */
export class Provider {
  readonly #issuer: string;
  readonly #discoveryUrl: string;
  readonly #read: ReadJson;
  readonly #clock: Clock;
  readonly #log: ProviderOptions['log'];
  #keys: JWTVerifyGetKey | undefined;
  #reading: Promise<void> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #problem: Error | undefined;

  constructor(options: ProviderOptions) {
    this.#issuer = options.issuer;
    this.#discoveryUrl = options.discoveryUrl ?? discoveryUrlOf(options.issuer);
    this.#read = options.read;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** The lookup of verification keys. Rejects with `ProviderError`, or with the error of `jose` for an unknown key. */
  keyOf(signal: AbortSignal): JWTVerifyGetKey {
    return async (header, token) => {
      await this.#keepCurrent(signal);
      const keys = this.#keys;
      if (keys === undefined)
        throw new ProviderError(this.#problem?.message ?? 'its keys have not been read yet');
      try {
        return await keys(header, token);
      } catch (error) {
        if (!(error instanceof jose.JWKSNoMatchingKey) || !(await this.renewed(signal))) throw error;
        return (this.#keys ?? keys)(header, token);
      }
    };
  }

  /** Reads the keys again because no known key has signed a token. Returns false if they were read a moment ago. */
  async renewed(signal: AbortSignal): Promise<boolean> {
    if (this.#age() < PAUSE_MS) return false;
    await abortable(this.#renew(), signal);
    return true;
  }

  /** Waits for the keys only if there are none, or if they are too old and the provider has not failed. */
  async #keepCurrent(signal: AbortSignal): Promise<void> {
    const age = this.#age();
    if (this.#keys === undefined || (age > MAX_AGE_MS && this.#problem === undefined))
      await abortable(this.#renew(), signal);
    else if (age > MAX_AGE_MS / 2) void this.#renew();
  }

  #age(): number {
    return this.#clock.monotonic() - this.#readAt;
  }

  /** Reads the keys. Keeps the present keys if that fails. Does not reject. */
  #renew(): Promise<void> {
    if (this.#reading === undefined) {
      if (this.#problem !== undefined && this.#age() < PAUSE_MS) return Promise.resolve();
      this.#reading = this.#discover().finally(() => {
        this.#readAt = this.#clock.monotonic();
        this.#reading = undefined;
      });
    }
    return this.#reading;
  }

  async #discover(): Promise<void> {
    using deadline = withDeadline(new AbortController().signal, this.#clock, TIMEOUT_MS);
    const { signal } = deadline;
    try {
      const found = await this.#read(new URL(this.#discoveryUrl), signal);
      const keys = await this.#read(keysUrl(found, this.#issuer), signal);
      this.#keys = createLocalJWKSet(keys as JSONWebKeySet);
      if (this.#problem !== undefined)
        this.#log.info('the keys of a token issuer can be read again', { issuer: this.#issuer });
      this.#problem = undefined;
    } catch (error) {
      const isNew = this.#problem === undefined;
      this.#problem = error instanceof Error ? error : new Error(String(error));
      if (isNew) this.#warn(this.#problem);
    }
  }

  #warn(problem: Error): void {
    const effect = this.#keys === undefined ? 'its tokens are refused' : 'its last keys remain in use';
    const fields = { issuer: this.#issuer, reason: messageOf(problem), effect };
    this.#log.warn('cannot read the keys of a token issuer', fields);
  }
}

function keysUrl(found: unknown, issuer: string): URL {
  if (!isJsonObject(found) || found['issuer'] !== issuer)
    throw new ProviderError('the discovery document is for another issuer');
  const { jwks_uri: uri } = found;
  const url = typeof uri === 'string' && URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol !== 'https:') throw new ProviderError('its jwks_uri is not an https URL');
  return url;
}
