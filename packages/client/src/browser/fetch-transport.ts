import { checkHeaders, checkTarget } from '../transport/request-check.ts';
import {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '../transport/transport.ts';
import { bodyOf } from './fetched-body.ts';

/** The server of a `fetchTransport`, and the identity of its requests. */
export interface FetchTransportOptions {
  /** The URL of the server: `https://api.example.com:6443`, or one of a proxy, `https://example.com/api-server`. */
  readonly server: string | URL;
  /** The bearer token, or the function that returns the current one for each request. Without it, requests have no identity. */
  readonly token?: string | ((signal: AbortSignal) => string | Promise<string>);
  /** Whether requests have the cookies of the server; `same-origin` when absent. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  /** Sends the requests; that of the platform when absent. */
  readonly fetch?: typeof fetch;
}

/** Browsers set these themselves; to allow `user-agent` from another origin, a server would need to know it. */
const ofTheBrowser: ReadonlySet<string> = new Set([
  'user-agent',
  'host',
  'content-length',
  'accept-encoding',
]);

/**
 * The transport over `fetch`, for browsers and other platforms without sockets. A page of another origin than that of the server needs
 * its permission (`--cors-allowed-origins`). The platform trusts the certificate of the server, or does not. Redirects are refused.
 * Throws a TypeError for an address that is not a `http` or `https` URL without query, fragment and password.
 */
export function fetchTransport(options: FetchTransportOptions): Transport {
  const url = new URL(options.server);
  if (!/^https?:$/.test(url.protocol) || `${url.username}${url.password}${url.search}${url.hash}` !== '')
    throw new TypeError('server must be an http or https URL without query, fragment and password');
  return new FetchTransport(url.href.replace(/\/+$/, ''), options);
}

class FetchTransport implements Transport {
  readonly #base: string;
  readonly #options: FetchTransportOptions;
  /** Aborts the requests since the last reset. */
  #current = new AbortController();
  #isClosed = false;

  constructor(base: string, options: FetchTransportOptions) {
    this.#base = base;
    this.#options = options;
  }

  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new TransportError('notSent', 'the transport is closed');
    const all = AbortSignal.any([signal, this.#current.signal]);
    const headers = await this.#headers(request, all);
    checkTarget(request.target);
    request.beforeWriting?.();
    const { fetch: send = globalThis.fetch, credentials = 'same-origin' } = this.#options;
    try {
      const response = await send(this.#base + request.target, {
        ...{ method: request.method, headers, credentials, signal: all },
        ...{ cache: 'no-store', redirect: 'error' },
        ...(request.body !== undefined && { body: new Uint8Array(request.body) }),
      });
      const answered = Object.fromEntries(response.headers);
      return { status: response.status, headers: answered, body: bodyOf(response, all) };
    } catch (cause) {
      all.throwIfAborted();
      // A browser does not tell the page whether the connection, the certificate or CORS was the cause.
      throw new TransportError('unknown', `${this.#base} cannot be reached from this page`, { cause });
    }
  }

  async #headers(request: TransportRequest, signal: AbortSignal): Promise<Headers> {
    const { token } = this.#options;
    const value = typeof token === 'function' ? await token(signal) : token;
    const all = { ...request.headers, ...(value !== undefined && { authorization: `Bearer ${value}` }) };
    checkHeaders(all);
    const headers = new Headers();
    for (const [name, values] of Object.entries(all))
      if (!ofTheBrowser.has(name)) for (const one of [values].flat()) headers.append(name, one);
    return headers;
  }

  reset(reason: string): void {
    this.#current.abort(new TransportError('unknown', reason));
    this.#current = new AbortController();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.reset('the transport was closed');
  }
}
