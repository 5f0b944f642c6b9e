import {
  type Client,
  type Credentials,
  type Identity,
  isAlreadyExists,
  isNotFound,
  type Resource,
} from '@orch/client';
import { type ApiObject, abortable, type Env } from '@orch/machinery';

const serviceAccounts: Resource = {
  group: '',
  version: 'v1',
  resource: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};

/** What is asked for, in seconds; the server may give less. */
const LIFE_SECONDS = 3600;

/** Part of a token's life after which a new one is asked for. */
const RENEW_AT = 0.8;

export interface AccountOptions {
  /** Asks for tokens, and makes the account when it is missing. */
  readonly client: Client;
  /** Name of the account in the namespace of the system. */
  readonly account: string;
  readonly env: Env;
  /** Ends the asking: that of the process, since those who wait share one search. */
  readonly signal: AbortSignal;
}

/** The credentials of a service account: bearer tokens of an hour, renewed while they are used. */
export function accountCredentials(options: AccountOptions): Credentials {
  return new AccountCredentials(options);
}

interface Held {
  readonly identity: Identity;
  /** Monotonic milliseconds. */
  readonly renewAt: number;
  readonly endsAt: number;
}

interface TokenRequest extends ApiObject {
  readonly status?: { readonly token?: string; readonly expirationTimestamp?: string };
}

class AccountCredentials implements Credentials {
  readonly #options: AccountOptions;
  #held: Held | undefined;
  #search: Promise<Held> | undefined;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  async current(signal: AbortSignal): Promise<Identity> {
    const held = this.#held;
    const now = this.#options.env.clock.monotonic();
    if (held === undefined || now >= held.endsAt) return (await abortable(this.#renewed(), signal)).identity;
    if (now >= held.renewAt) {
      // The token is still good: nobody waits for the next one, and a failure can be mended until this one ends.
      this.#renewed().catch((error: unknown) =>
        this.#options.env.log.warn('a token could not be renewed yet', {
          account: this.#options.account,
          error,
        }),
      );
    }
    return held.identity;
  }

  rejected(identity: Identity): boolean {
    if (this.#held?.identity === identity) this.#held = undefined;
    return true;
  }

  onTlsChange(): () => void {
    return () => undefined;
  }

  #renewed(): Promise<Held> {
    this.#search ??= this.#ask().then(
      (held) => {
        this.#held = held;
        this.#search = undefined;
        return held;
      },
      (error: unknown) => {
        this.#search = undefined;
        throw error;
      },
    );
    return this.#search;
  }

  async #ask(): Promise<Held> {
    try {
      return await this.#token();
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    await this.#create();
    return this.#token();
  }

  async #token(): Promise<Held> {
    const { client, account, env, signal } = this.#options;
    const { clock } = env;
    const askedAt = clock.monotonic();
    const { status } = await client
      .resource(serviceAccounts, client.names.namespaces.system)
      .subresource<TokenRequest>('token')
      .create(
        account,
        {
          apiVersion: client.names.apiVersion('authentication', 'v1'),
          kind: 'TokenRequest',
          spec: { expirationSeconds: LIFE_SECONDS },
        },
        {},
        signal,
      );
    if (status?.token === undefined) throw new Error(`the server gave no token for the account ${account}`);
    const lifeMs = lifeOf(status.expirationTimestamp, clock.now());
    return {
      identity: { headers: { authorization: `Bearer ${status.token}` } },
      renewAt: askedAt + lifeMs * RENEW_AT,
      endsAt: askedAt + lifeMs,
    };
  }

  async #create(): Promise<void> {
    const { client, account, env, signal } = this.#options;
    const { system } = client.names.namespaces;
    try {
      await client.resource(serviceAccounts, system).create(
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

/** Milliseconds; what was asked for where the server's clock cannot be ours. */
function lifeOf(end: string | undefined, now: number): number {
  const most = LIFE_SECONDS * 1000;
  const told = end === undefined ? Number.NaN : Date.parse(end) - now;
  return told > 0 && told < most ? told : most;
}
