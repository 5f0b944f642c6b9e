import {
  type Client,
  type Credentials,
  type Identity,
  isAlreadyExists,
  isNotFound,
  type kinds,
  type ResourceClient,
  typed,
} from '@orch/client';
import type { Env } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';

/** Requested lifetime; the server may shorten it. */
const LIFETIME_SECONDS = 3600;

/** Fraction of the lifetime of a token after which it is renewed. */
const RENEW_AT = 0.8;

export interface AccountOptions {
  /** Requests tokens, and creates a missing account. */
  readonly client: Client;
  /** Name of the account in the system namespace. */
  readonly account: string;
  /** Reports whether the account is known to be missing; called before the first token request. */
  readonly isMissing: (account: string) => Promise<boolean>;
  readonly env: Env;
  /** Ends token requests. It is that of the process, because concurrent callers share a request. */
  readonly signal: AbortSignal;
}

/** The credentials of a service account: bearer tokens with a lifetime of an hour, renewed while they are used. */
export function accountCredentials(options: AccountOptions): Credentials {
  return new AccountCredentials(options);
}

interface CachedToken {
  readonly identity: Identity;
  /** Monotonic milliseconds. */
  readonly renewAt: number;
  readonly endsAt: number;
}

class AccountCredentials implements Credentials {
  readonly #options: AccountOptions;
  #cached: CachedToken | undefined;
  #renewal: Promise<CachedToken> | undefined;
  #isFirst = true;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  async current(signal: AbortSignal): Promise<Identity> {
    const cached = this.#cached;
    const now = this.#options.env.clock.monotonic();
    if (cached === undefined || now >= cached.endsAt)
      return (await abortable(this.#renewed(), signal)).identity;
    if (now >= cached.renewAt) {
      // The token is still valid: callers do not wait for the next one, and a failed renewal is retried until it expires.
      this.#renewed().catch((error: unknown) =>
        this.#options.env.log.warn('cannot renew a token', {
          account: this.#options.account,
          error,
        }),
      );
    }
    return cached.identity;
  }

  rejected(identity: Identity): boolean {
    if (this.#cached?.identity === identity) this.#cached = undefined;
    return true;
  }

  onTlsChange(): () => void {
    return () => undefined;
  }

  #renewed(): Promise<CachedToken> {
    this.#renewal ??= this.#request().then(
      (token) => {
        this.#cached = token;
        this.#renewal = undefined;
        return token;
      },
      (error: unknown) => {
        this.#renewal = undefined;
        throw error;
      },
    );
    return this.#renewal;
  }

  async #request(): Promise<CachedToken> {
    const { account, isMissing } = this.#options;
    if (this.#isFirst && (await isMissing(account))) await this.#create();
    this.#isFirst = false;
    try {
      return await this.#token();
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    await this.#create();
    return this.#token();
  }

  async #token(): Promise<CachedToken> {
    const { client, account, env, signal } = this.#options;
    const { clock } = env;
    const requestedAt = clock.monotonic();
    const { status } = await this.#accounts()
      .subresource<kinds.authentication.TokenRequest>('token')
      .create(
        account,
        {
          apiVersion: client.names.apiVersion('authentication', 'v1'),
          kind: 'TokenRequest',
          spec: { expirationSeconds: LIFETIME_SECONDS },
        },
        {},
        signal,
      );
    if (status?.token === undefined) throw new Error(`the response has no token for the account ${account}`);
    const lifetimeMs = lifetimeOf(status.expirationTimestamp, clock.now());
    return {
      identity: { headers: { authorization: `Bearer ${status.token}` } },
      renewAt: requestedAt + lifetimeMs * RENEW_AT,
      endsAt: requestedAt + lifetimeMs,
    };
  }

  #accounts(): ResourceClient<kinds.core.ServiceAccount> {
    const { client } = this.#options;
    return typed(client, client.names.namespaces.system).core.v1.serviceaccounts;
  }

  async #create(): Promise<void> {
    const { client, account, env, signal } = this.#options;
    const { system } = client.names.namespaces;
    try {
      await this.#accounts().create(
        {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: account, namespace: system },
        },
        {},
        signal,
      );
      env.log.info('created the service account of a controller', { account });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}

/** The remaining lifetime in milliseconds; the requested one when the clocks of server and client disagree. */
function lifetimeOf(expiration: string | null | undefined, now: number): number {
  const requestedMs = LIFETIME_SECONDS * 1000;
  const remainingMs = Date.parse(expiration ?? '') - now;
  return remainingMs > 0 && remainingMs < requestedMs ? remainingMs : requestedMs;
}
