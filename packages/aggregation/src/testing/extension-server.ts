import { once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { createServer as createHttp1Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';

export type ExtensionRequest = Http2ServerRequest;
export type ExtensionResponse = Http2ServerResponse;

/** A request that was received, without those of availability checks. */
export interface ReceivedRequest {
  readonly line: string;
  readonly headers: ExtensionRequest['headers'];
  /** Names and values as they were sent. */
  readonly raw: readonly string[];
  readonly httpVersion: string;
  /** Common name of the client certificate. */
  readonly client: string | undefined;
}

export interface ExtensionServerOptions {
  /** Protocols that the server offers; both when absent. */
  readonly protocols?: readonly string[];
  readonly hosts?: readonly string[];
  /** Common name of its certificate. */
  readonly commonName?: string;
  /** The address to listen on; the loopback one when absent. */
  readonly address?: string;
  readonly answer?: (request: ExtensionRequest, response: ExtensionResponse) => void;
}

/** A document of an extension API server. */
export interface ExtensionDocument {
  readonly body: object;
  readonly etag?: string;
}

const checker = /^system:(kube|orch)-aggregator$/;

/** An extension API server on a port of this machine, for tests. */
export class ExtensionServer implements AsyncDisposable {
  readonly #authority = testCertificate({ commonName: 'extension-authority', use: 'authority' });
  readonly #sockets = new Set<Socket>();
  #server: Http2SecureServer | undefined;
  readonly #pair: KeyPair;
  readonly #protocols: readonly string[];
  readonly #address: string;
  port = 0;
  connections = 0;
  checks = 0;
  /** Requests of API servers for themselves: checks, and reads of documents. */
  ownRequests = 0;
  readonly requests: ReceivedRequest[] = [];
  /** The answer to checks of the availability. */
  checkStatus = 200;
  /** The documents that API servers read in the background, by path: JSON, or bytes. */
  readonly documents = new Map<string, ExtensionDocument>();
  /** Answers requests for documents itself; returns whether it did. */
  stream: (path: string, response: ExtensionResponse) => boolean = () => false;
  /** Paths of documents, as often as they were sent completely. */
  readonly documentsSent: string[] = [];
  answer: NonNullable<ExtensionServerOptions['answer']>;

  constructor(options: ExtensionServerOptions) {
    const { hosts = ['extension.default.svc'], commonName = 'extension' } = options;
    this.#pair = testCertificate({ commonName, use: 'server', hosts }, this.#authority);
    this.#protocols = options.protocols ?? ['h2', 'http/1.1'];
    this.#address = options.address ?? '127.0.0.1';
    this.answer = options.answer ?? ((_request, response) => void json(response, { kind: 'Answer' }));
  }

  static async start(options: ExtensionServerOptions = {}): Promise<ExtensionServer> {
    const server = new ExtensionServer(options);
    await server.start();
    return server;
  }

  get caBundle(): string {
    return Buffer.from(this.#authority.cert).toString('base64');
  }

  /** Its own certificate, as `caBundle`. */
  get certificate(): string {
    return Buffer.from(this.#pair.cert).toString('base64');
  }

  async start(): Promise<void> {
    const tls = { ...this.#pair, requestCert: true, rejectUnauthorized: false };
    // Requests of both modules have everything that tests use.
    const server = this.#protocols.includes('h2')
      ? createSecureServer({ ...tls, allowHTTP1: true })
      : (createHttp1Server(tls) as unknown as Http2SecureServer);
    server.on('request', (request, response) => this.#serve(request, response));
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('sessionError', () => undefined);
    server.on('clientError', (_error, socket: Socket) => socket.destroy());
    server.listen(this.port, this.#address);
    await once(server, 'listening');
    this.port = (server.address() as AddressInfo).port;
  }

  /** Closes the port and all connections. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    this.breakConnections();
    await closed;
  }

  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  get openConnections(): number {
    return this.#sockets.size;
  }

  /** The server itself, for upgrades and other special cases. */
  get server(): Http2SecureServer {
    if (this.#server === undefined) throw new TypeError('the extension server is stopped');
    return this.#server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #serve(request: ExtensionRequest, response: ExtensionResponse): void {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (checker.test(String(request.headers['x-remote-user']))) {
      this.#serveOwn(request, response);
      return;
    }
    const socket = (request.stream?.session?.socket ?? request.socket) as TLSSocket;
    this.requests.push({
      line: `${request.method} ${request.url}`,
      headers: request.headers,
      raw: [...request.rawHeaders],
      httpVersion: request.httpVersion,
      client: socket.getPeerCertificate().subject?.CN as string | undefined,
    });
    this.answer(request, response);
  }

  /** Requests of API servers for themselves: checks, and documents. */
  #serveOwn(request: ExtensionRequest, response: ExtensionResponse): void {
    this.ownRequests++;
    if (this.stream(request.url, response)) return;
    const document = this.documents.get(request.url);
    const isCheck = !request.url.startsWith('/openapi/');
    if (isCheck) this.checks++;
    if (document === undefined || (isCheck && this.checkStatus !== 200)) {
      json(response, { kind: 'APIResourceList' }, isCheck ? this.checkStatus : 404);
      return;
    }
    const { etag, body } = document;
    if (etag !== undefined && request.headers['if-none-match'] === etag) {
      response.writeHead(304, { etag });
      response.end();
      return;
    }
    this.documentsSent.push(request.url);
    response.writeHead(200, { 'content-type': 'application/json', ...(etag === undefined ? {} : { etag }) });
    response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  }
}

export function json(response: ExtensionResponse, body: unknown, status = 200): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}
