import { asNumber, asObject, asText, type JsonObject } from '@orch/machinery/json';

/** A login that has begun: where the user goes on, and the secrets that make the redirection useful. */
export interface BegunLogin {
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
  /** Epoch milliseconds; infinite for a token that is not renewed here. */
  readonly expiresAtMs: number;
}

/** Tokens that expire this soon are renewed before they are sent. */
const MARGIN_MS = 30_000;

/**
 * The login of a user at the page of an API server. Tokens and secrets are in the memory of the page only: neither in its storage, nor in
 * cookies, nor in addresses.
 */
export class Login {
  readonly #base: URL;
  readonly #fetch: typeof fetch;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #tokens: Tokens | undefined;
  #renewing: Promise<void> | undefined;
  #end = '';

  /** `base` is the address of the page. */
  constructor(base: URL, send: typeof fetch, now: () => number) {
    this.#base = base;
    this.#fetch = send;
    this.#now = now;
  }

  get hasToken(): boolean {
    return this.#tokens !== undefined;
  }

  /** The token of the user; undefined before a login. */
  readonly token = (): string | undefined => this.#tokens?.token;

  /** Why the last login has ended; empty when the user has ended it, or there was none. */
  get end(): string {
    return this.#end;
  }

  /** Calls the listener when the user logs in or out, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends a request as the user. The login ends when the server refuses the token. */
  readonly send: typeof fetch = async (input, init) => {
    await this.#renewInTime();
    const tokens = this.#tokens;
    if (tokens === undefined) return this.#fetch(input, init);
    const response = await this.#sendWith(tokens.token, input, init);
    if (response.status === 401 && this.#tokens === tokens)
      this.#set(undefined, 'The server does not accept the token any more: it has expired, or was revoked.');
    return response;
  };

  /** Uses a token of the user, unless the server refuses it. */
  async useToken(token: string, signal: AbortSignal): Promise<void> {
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('a token has no blanks and no line ends');
    const response = await this.#sendWith(token, new URL('../api', this.#base), { signal });
    await response.body?.cancel();
    if (response.status === 401) throw new Error('the server does not accept this token');
    this.#set({ token, refreshToken: '', expiresAtMs: Number.POSITIVE_INFINITY });
  }

  async begin(signal: AbortSignal): Promise<BegunLogin> {
    const { url, state, nonce, verifier } = await this.#step('begin', {}, signal);
    return { url: asText(url), state: asText(state), nonce: asText(nonce), verifier: asText(verifier) };
  }

  /** Exchanges the code in the query of a redirection for a token. */
  async finish({ url: _, ...secrets }: BegunLogin, query: string, signal: AbortSignal): Promise<void> {
    this.#set(tokensIn(await this.#step('finish', { ...secrets, query }, signal)));
  }

  /** Forgets the tokens. */
  logOut(): void {
    this.#set(undefined);
  }

  /** The credentials of the browser, such as its client certificate, are not sent: requests are those of the token. */
  #sendWith(token: string, input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    return this.#fetch(input, { ...init, headers, credentials: 'omit' });
  }

  async #renewInTime(): Promise<void> {
    const tokens = this.#tokens;
    if (tokens === undefined || tokens.refreshToken === '') return;
    if (tokens.expiresAtMs - this.#now() > MARGIN_MS) return;
    this.#renewing ??= this.#renew(tokens.refreshToken).finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
  }

  /** Without new tokens, the server decides about the present one. */
  async #renew(refreshToken: string): Promise<void> {
    const before = this.#tokens;
    try {
      const answer = await this.#step('renew', { refreshToken }, AbortSignal.timeout(MARGIN_MS));
      if (this.#tokens === before) this.#tokens = tokensIn(answer);
    } catch {
      if (this.#tokens === before && before !== undefined) this.#tokens = { ...before, refreshToken: '' };
    }
  }

  async #step(
    step: string,
    fields: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const response = await this.#fetch(new URL(`login/${step}`, this.#base), {
      ...{ method: 'POST', body: JSON.stringify(fields), signal },
      headers: { 'content-type': 'application/json' },
      ...{ cache: 'no-store', credentials: 'omit', redirect: 'error' },
    });
    const answer = asObject(await response.json());
    if (response.ok) return answer;
    throw new Error(asText(answer['message']) || `the login failed with status ${response.status}`);
  }

  #set(tokens: Tokens | undefined, end = ''): void {
    this.#tokens = tokens;
    this.#end = end;
    for (const listener of this.#listeners) listener();
  }
}

const tokensIn = ({ idToken, refreshToken, expiresAt }: JsonObject): Tokens => ({
  token: asText(idToken),
  refreshToken: asText(refreshToken),
  expiresAtMs: asNumber(expiresAt),
});
