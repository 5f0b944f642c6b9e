import { once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { ApiError, errors, type Logger, messageOf } from '@orch/machinery';
import type { DelegatedAuthorizer } from './delegated-authorizer.ts';
import { type ExtensionApi, type ExtensionPath, extensionPath } from './extension-api.ts';
import { type ProxiedUser, type ProxyTrust, proxiedUser } from './proxied-user.ts';

export interface ExtensionServerOptions {
  readonly api: ExtensionApi;
  /** The serving certificate in PEM, valid for `NAME.NAMESPACE.svc` of the service. */
  readonly tls: { readonly cert: string; readonly key: string };
  readonly trust: ProxyTrust;
  readonly authorizer: Pick<DelegatedAuthorizer, 'isAllowed'>;
  readonly log: Pick<Logger, 'error'>;
}

/** A server of an API behind the API server: only requests from its proxy are served, and its users need permissions there. */
export class ExtensionServer implements AsyncDisposable {
  readonly #options: ExtensionServerOptions;
  readonly #server: Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  #trust: ProxyTrust;

  constructor(options: ExtensionServerOptions) {
    const { tls, trust } = options;
    this.#options = options;
    this.#trust = trust;
    this.#server = createSecureServer({
      ...tls,
      allowHTTP1: true,
      minVersion: 'TLSv1.2',
      // Requests on connections without a valid certificate are answered with 401.
      requestCert: true,
      rejectUnauthorized: false,
      ca: trust.authorities,
    });
    this.#server.on('request', (request, response) => void this.#serve(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('sessionError', () => undefined);
  }

  /** Listens; resolves with the port. */
  async listen(port: number, host?: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Trusts other names from the next request on, and other authorities from the next connection on. */
  updateTrust(trust: ProxyTrust): void {
    const { tls } = this.#options;
    this.#trust = trust;
    this.#server.setSecureContext({ ...tls, ca: trust.authorities });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const stop = new AbortController();
    response.once('close', () => stop.abort());
    try {
      reply(response, 200, await this.#answer(request, stop.signal));
    } catch (error) {
      if (stop.signal.aborted) return;
      const { status } = this.#failureOf(error);
      reply(response, status.code ?? 500, status);
    }
  }

  /** What failed within a handler concerns its author: clients learn only that it did. */
  #failureOf(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    this.#options.log.error('a request failed', { error: messageOf(error) });
    return errors.internal(error);
  }

  async #answer(request: Http2ServerRequest, signal: AbortSignal): Promise<object> {
    const { api } = this.#options;
    const user = proxiedUser(this.#trust, verified(request), request.rawHeaders);
    if (user === undefined) throw errors.unauthorized();
    const url = new URL(request.url, 'https://localhost');
    const path = extensionPath(api, url.pathname);
    if (path === undefined) throw errors.plain(404, '404 page not found');
    if (request.method !== 'GET') throw errors.methodNotAllowed(request.method);
    return path.kind === 'document'
      ? path.body
      : await this.#resource(path, { user, query: url.searchParams, signal });
  }

  async #resource(
    { resource, namespace, name }: Extract<ExtensionPath, { kind: 'resource' }>,
    {
      user,
      query,
      signal,
    }: { readonly user: ProxiedUser; readonly query: URLSearchParams; readonly signal: AbortSignal },
  ): Promise<object> {
    const { api, authorizer } = this.#options;
    const { group, version } = api;
    const verb = name === '' ? 'list' : 'get';
    const access = { verb, group, version, resource: resource.resource, namespace, name };
    if (!(await authorizer.isAllowed(user, access, signal))) {
      const why = `user ${JSON.stringify(user.name)} cannot ${verb} ${resource.resource}`;
      throw errors.forbidden({ group, kind: resource.resource, ...(name === '' ? {} : { name }) }, why);
    }
    const call = {
      namespace,
      labelSelector: query.get('labelSelector') ?? '',
      fieldSelector: query.get('fieldSelector') ?? '',
      signal,
    };
    const apiVersion = `${group}/${version}`;
    if (verb === 'list') {
      const items = await resource.list?.(call);
      if (items === undefined) throw errors.methodNotAllowed('list');
      return { kind: `${resource.kind}List`, apiVersion, metadata: {}, items };
    }
    const object = await resource.get?.(name, call);
    if (object === undefined) throw errors.notFound({ group, kind: resource.resource, name });
    return { ...object, kind: resource.kind, apiVersion };
  }
}

function verified(request: Http2ServerRequest) {
  const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
  const commonName = socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined;
  return {
    isAuthorized: socket.authorized,
    commonName: typeof commonName === 'string' ? commonName : undefined,
  };
}

function reply(response: Http2ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}
