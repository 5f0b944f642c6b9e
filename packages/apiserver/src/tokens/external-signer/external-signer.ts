import type { TokenKeys } from '@orch/auth';
import { type Env, errors, messageOf } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import type { TokenKey } from '@orch/pki/jws';
import { Channel, type UnaryMethod, unixEndpoint } from '@orch/storage/grpc';
import { SharedSearch } from '../shared-search.ts';
import {
  SignerAnswerError,
  type SignerKeys,
  signedToken,
  signerKeys,
  signerMaximum,
} from './signer-answers.ts';
import { type SignerMethods, type SignerVersion, signerMethods } from './signer-messages.ts';

export interface ExternalSignerOptions {
  readonly socketPath: string;
  readonly version: SignerVersion;
  readonly env: Env;
}

const CALL_MS = 10_000;
/** Time that the signer has to answer at the start of the server. */
const START_MS = 60_000;
/** Interval of attempts after keys could not be fetched. */
const RETRY_MS = 10_000;
const KEEPALIVE_MS = 10_000;
const MAX_CALLS = 256;
/** An answer contains one signature, or all keys. */
const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * A program that holds the keys of service account tokens, behind a Unix socket: it signs tokens, and names the keys that verify
 * them. The keys are fetched again when the signer says so, and when a token names an unknown key. While the signer does not
 * answer, the last keys verify tokens, and no token is issued.
 */
export class ExternalSigner implements TokenKeys {
  /** Tokens of the signer name their key. */
  readonly unnamed: readonly TokenKey[] = [];
  readonly #options: ExternalSignerOptions;
  readonly #methods: SignerMethods;
  readonly #channel: Channel;
  readonly #closed = new AbortController();
  readonly #search: SharedSearch;
  #keys: SignerKeys | undefined;
  #fetchedMs = 0;
  #maxSeconds = 0;

  constructor(options: ExternalSignerOptions) {
    const { socketPath, version, env } = options;
    this.#options = options;
    this.#methods = signerMethods(version);
    this.#search = new SharedSearch(env, (signal) => this.#searchKeys(signal));
    this.#channel = new Channel({
      ...env,
      endpoints: [unixEndpoint(socketPath.replace(/^@/, '\0'))],
      tls: undefined,
      dialTimeoutMs: CALL_MS,
      keepaliveMs: KEEPALIVE_MS,
      keepaliveTimeoutMs: CALL_MS,
      maxMessageBytes: MAX_ANSWER_BYTES,
      maxWaiting: MAX_CALLS,
      peer: 'the signer of service account tokens',
    });
  }

  /** Maximum lifetime of a token in seconds. */
  get maxSeconds(): number {
    return this.#maxSeconds;
  }

  /** Seconds until the keys are fetched again. Clients may cache the documents with the keys for that long. */
  get maxAgeSeconds(): number {
    const age = (this.#options.env.clock.monotonic() - this.#fetchedMs) / 1000;
    return Math.max(0, Math.floor((this.#keys?.refreshSeconds ?? 0) - age));
  }

  /** Fetches keys and limits; waits a minute for a signer that starts. Rejects when it does not answer, or not properly. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#fetchKeys(START_MS, signal);
    this.#maxSeconds = signerMaximum(await this.#call(this.#methods.metadata, {}, START_MS, signal));
  }

  withId(id: string): TokenKey | undefined {
    return this.#keys?.byId.get(id);
  }

  /** The published keys. */
  all(): readonly TokenKey[] {
    const { byId = new Map<string, TokenKey>(), unpublished } = this.#keys ?? {};
    return [...byId.values()].filter(({ id }) => unpublished?.has(id) !== true);
  }

  /** Fetches the keys for a token with an unknown one. Rejects with an `ApiError` (503) when the signer does not answer. */
  refresh(signal: AbortSignal): Promise<void> {
    return this.#search.refresh(signal);
  }

  /** A token with these claims. Rejects with an `ApiError` (503) when the signer does not make one that verifiers accept. */
  async sign(claims: JsonObject): Promise<string> {
    const encoded = Buffer.from(JSON.stringify(claims)).toString('base64url');
    try {
      const { keyId, token } = signedToken(encoded, await this.#call(this.#methods.sign, encoded));
      if (this.withId(keyId) === undefined) await this.#fetchKeys();
      if (this.withId(keyId) === undefined || this.#keys?.unpublished.has(keyId) === true)
        throw new SignerAnswerError(`the key ${JSON.stringify(keyId)} is not published`);
      return token;
    } catch (error) {
      this.#options.env.log.error('the external signer did not sign a service account token', {
        error: messageOf(error),
      });
      throw errors.serviceUnavailable('the external signer did not sign the token');
    }
  }

  /** Fetches the keys again when the signer says so, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options.env;
    let waitMs = this.maxAgeSeconds * 1000;
    for (;;) {
      await sleep(clock, waitMs, signal);
      try {
        await this.#fetchKeys();
        waitMs = this.maxAgeSeconds * 1000;
      } catch (error) {
        signal.throwIfAborted();
        log.error('the keys of the external signer cannot be fetched; the last ones stay in use', {
          error: messageOf(error),
        });
        waitMs = RETRY_MS;
      }
    }
  }

  close(): void {
    this.#closed.abort(new Error('the external signer is not used any more'));
    this.#channel.close();
  }

  async #searchKeys(signal: AbortSignal): Promise<void> {
    try {
      await this.#fetchKeys(CALL_MS, signal);
    } catch (error) {
      this.#options.env.log.error('the keys of the external signer cannot be fetched for a token', {
        error: messageOf(error),
      });
      throw errors.serviceUnavailable('the external signer does not answer');
    }
  }

  async #fetchKeys(timeoutMs = CALL_MS, signal?: AbortSignal): Promise<void> {
    this.#keys = signerKeys(await this.#call(this.#methods.fetchKeys, {}, timeoutMs, signal));
    this.#fetchedMs = this.#options.env.clock.monotonic();
  }

  #call<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    timeoutMs = CALL_MS,
    signal: AbortSignal = this.#closed.signal,
  ): Promise<Response> {
    return this.#channel.unary(method, request, { timeoutMs, signal });
  }
}
