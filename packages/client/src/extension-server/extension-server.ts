import { once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { ApiError, type Env, errors, messageOf, type Names } from '@orch/machinery';
import { type CertificateWithKey, problemOfAuthorities } from '../files/pem.ts';
import { Connections, refuse } from './connections.ts';
import { bearerToken, type DelegatedAuthenticator } from './delegated-authenticator.ts';
import type { DelegatedAuthorizer } from './delegated-authorizer.ts';
import { type ExtensionApi, extensionPath } from './extension-api.ts';
import { proxiedUser, type VerifiedConnection } from './proxied-user.ts';
import type { ProxyTrust } from './proxy-trust.ts';
import type { RequestUser } from './request-user.ts';
import { serveResource } from './serve-resource.ts';

/** The API and the certificate of an extension API server, and whom it trusts. */
export interface ExtensionServerOptions {
  readonly api: ExtensionApi;
  readonly names: Names;
  readonly env: Pick<Env, 'clock' | 'log'>;
  /** The serving certificate in PEM, valid for `NAME.NAMESPACE.svc` of the service. */
  readonly tls: CertificateWithKey;
  /** The trust in the proxy; when absent, no proxy is trusted before `updateTrust` is called. */
  readonly trust?: ProxyTrust;
  readonly authenticator: Pick<DelegatedAuthenticator, 'user'>;
  readonly authorizer: Pick<DelegatedAuthorizer, 'isAllowed'>;
}

const healthPaths: readonly string[] = ['/healthz', '/livez', '/readyz'];

/**
 * A server of an API behind the API server. A request has the user that the proxy sends, or the user of a token that
 * the API server accepts; the user needs permissions in the API server. All other requests are answered with 401.
 */
export class ExtensionServer implements AsyncDisposable {
  readonly #options: ExtensionServerOptions;
  readonly #server: Http2SecureServer;
  readonly #connections: Connections;
  #tls: CertificateWithKey;
  #trust: ProxyTrust | undefined;

  constructor(options: ExtensionServerOptions) {
    this.#options = options;
    this.#tls = options.tls;
    this.#trust = options.trust;
    this.#server = createSecureServer({
      ...this.#secureContext(),
      allowHTTP1: true,
      minVersion: 'TLSv1.2',
      // Clients with a token have no certificate.
      requestCert: true,
      rejectUnauthorized: false,
      settings: { maxConcurrentStreams: 250 },
    });
    this.#connections = new Connections(this.#server);
    this.#server.on('request', (request, response) => void this.#serve(request, response));
    this.#server.on('sessionError', () => undefined);
  }

  /** Listens; resolves with the port. */
  async listen(port: number, host?: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Applies another trust, from the next request on: connections that other authorities have verified are ended. Throws
   * without a change for authorities that cannot be used.
   */
  updateTrust(trust: ProxyTrust | undefined): void {
    const problem = trust === undefined ? undefined : problemOfAuthorities(trust.authorities);
    if (problem !== undefined) throw new TypeError(`the bundle of authorities ${problem}`);
    const before = this.#trust;
    this.#trust = trust;
    if (before?.authorities === trust?.authorities) return;
    this.#server.setSecureContext(this.#secureContext());
    this.#connections.outdate();
  }

  /** Presents another certificate, from the next connection on. Throws without a change for one that cannot be used. */
  updateCertificate(tls: CertificateWithKey): void {
    const before = this.#tls;
    if (before.cert === tls.cert && before.key === tls.key) return;
    this.#tls = tls;
    try {
      this.#server.setSecureContext(this.#secureContext());
    } catch (error) {
      this.#tls = before;
      throw error;
    }
  }

  /** Accepts no more connections, and resolves when all requests are answered; their connections are cut when the signal aborts. */
  async close(signal: AbortSignal): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#connections.endSessions();
    const cut = (): void => this.#connections.destroy();
    if (signal.aborted) cut();
    else signal.addEventListener('abort', cut, { once: true });
    await closed;
    signal.removeEventListener('abort', cut);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close(AbortSignal.abort());
  }

  /** Without authorities, an empty list: Node would use those of the machine otherwise. */
  #secureContext() {
    return { ...this.#tls, ca: this.#trust?.authorities ?? [] };
  }

  async #serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const [path = '', query = ''] = request.url.split('?', 2);
    if (healthPaths.includes(path)) return send(response, 200, 'text/plain', 'ok');
    const client = this.#connections.clientOf(request, this.#options.env.clock.now());
    if (client === 'outdated') return refuse(request);
    const stop = new AbortController();
    response.once('close', () => stop.abort());
    try {
      const user = await this.#user(request, client, stop.signal);
      if (user === undefined) throw errors.unauthorized();
      reply(response, 200, await this.#answer(request, { path, query, user, signal: stop.signal }));
    } catch (error) {
      if (stop.signal.aborted) return;
      const { status } = this.#failureOf(error);
      reply(response, status.code ?? 500, status);
    }
  }

  /** A failure within a handler concerns its author: clients learn only that it failed. */
  #failureOf(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    this.#options.env.log.error('a request failed', { error: messageOf(error) });
    return errors.internal(error);
  }

  async #user(
    request: Http2ServerRequest,
    client: VerifiedConnection,
    signal: AbortSignal,
  ): Promise<RequestUser | undefined> {
    const proxied =
      this.#trust === undefined ? undefined : proxiedUser(this.#trust, client, request.rawHeaders);
    if (proxied !== undefined) return proxied;
    const token = bearerToken(request.headers.authorization);
    return token === undefined ? undefined : await this.#options.authenticator.user(token, signal);
  }

  async #answer(
    { method, headers }: Http2ServerRequest,
    {
      path,
      query,
      user,
      signal,
    }: {
      readonly path: string;
      readonly query: string;
      readonly user: RequestUser;
      readonly signal: AbortSignal;
    },
  ): Promise<object> {
    const { api, names, authorizer } = this.#options;
    const found = extensionPath(api, path);
    if (found === undefined) throw errors.plain(404, '404 page not found');
    if (method !== 'GET') throw errors.methodNotAllowed(method);
    if (found.kind === 'document') return found.body;
    const call = { ...found, user, query: new URLSearchParams(query), accept: headers.accept, signal };
    return serveResource({ api, names, authorizer }, call);
  }
}

const reply = (response: Http2ServerResponse, status: number, body: object): void =>
  send(response, status, 'application/json', JSON.stringify(body));

function send(response: Http2ServerResponse, status: number, type: string, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length });
  response.end(bytes);
}
