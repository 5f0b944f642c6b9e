import {
  type ClientRequest,
  Agent as HttpAgent,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import {
  checkServerIdentity,
  createSecureContext,
  connect as openTls,
  type PeerCertificate,
  type TLSSocket,
  type ConnectionOptions as TlsOptions,
} from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { abortable, onAbort } from '@orch/machinery';
import type { RemoteService } from './client-config.ts';
import type { Answer, ConnectionOptions, Post } from './exchange.ts';
import { Http2Requests } from './http2-requests.ts';

/** Requests to one service over connections that are kept. */
export interface Transport extends Disposable {
  /** Rejects with an error of the connection, or with the reason of the signal. */
  post(request: Post, signal: AbortSignal): Promise<Answer>;
}

type Options = Pick<ConnectionOptions, 'sawCertificate' | 'lookup'> & { readonly maxSockets: number };

/** HTTP/2 where the service offers it, else HTTP/1.1. Throws when certificate or key cannot be read. */
export function transportTo(service: RemoteService, options: Options): Transport {
  const { maxSockets, lookup } = options;
  const resolving = lookup === undefined ? {} : { lookup };
  return service.url.protocol === 'https:'
    ? new SecureTransport(service.url, { ...tlsOf(service, options), ...resolving }, maxSockets)
    : new Http1Transport(service.url, new HttpAgent({ keepAlive: true, maxSockets, ...resolving }));
}

function tlsOf(
  { identity, ca, serverName, isUnverified }: RemoteService,
  { sawCertificate }: Options,
): TlsOptions {
  // A certificate among the authorities is trusted itself, also when it is that of the service.
  const trust = ca === undefined ? {} : { ca, allowPartialTrustChain: true };
  return {
    // Created in advance, so that unreadable certificates are reported at the start.
    secureContext: createSecureContext({ ...trust, ...identity }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    rejectUnauthorized: !isUnverified,
    checkServerIdentity(name: string, certificate: PeerCertificate) {
      sawCertificate?.(certificate);
      return checkServerIdentity(name, certificate);
    },
  };
}

/** Requests with HTTP/1.1, one at a time on each connection. */
class Http1Transport implements Transport {
  readonly #url: URL;
  readonly #address: RequestOptions;
  readonly #agent: HttpAgent;

  constructor(url: URL, agent: HttpAgent) {
    this.#url = url;
    this.#address = urlToHttpOptions(url);
    this.#agent = agent;
  }

  /** A kept connection that the service closed at the same moment has not delivered the request: it is sent again. */
  async post(request: Post, signal: AbortSignal): Promise<Answer> {
    for (;;) {
      const outgoing = this.#open(request, signal);
      try {
        return await answerOf(outgoing, request, signal);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (signal.aborted || !outgoing.reusedSocket || !(code === 'ECONNRESET' || code === 'EPIPE'))
          throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #open({ path, headers }: Post, signal: AbortSignal): ClientRequest {
    const send = this.#url.protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = send({ ...this.#address, method: 'POST', path, headers, agent: this.#agent });
    const unregister = onAbort(signal, () => outgoing.destroy());
    return outgoing.once('close', unregister);
  }
}

const answerOf = (outgoing: ClientRequest, { payload }: Post, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    outgoing.on('response', (incoming) => resolve({ status: incoming.statusCode ?? 0, body: incoming }));
    outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    outgoing.end(payload);
  });

/** Keeps connections with HTTP/1.1, the first of which was opened before its protocol was known. */
class NegotiatedAgent extends HttpsAgent {
  #opened: TLSSocket | undefined;

  adopt(socket: TLSSocket): void {
    this.#opened = socket;
  }

  override createConnection(
    ...args: Parameters<HttpsAgent['createConnection']>
  ): ReturnType<HttpsAgent['createConnection']> {
    const opened = this.#opened;
    this.#opened = undefined;
    return opened === undefined || opened.destroyed ? super.createConnection(...args) : opened;
  }

  override destroy(): void {
    this.#opened?.destroy();
    super.destroy();
  }
}

/** Negotiates the protocol with the first connection. */
class SecureTransport implements Transport {
  readonly #url: URL;
  readonly #tls: TlsOptions;
  readonly #agent: NegotiatedAgent;
  readonly #http1: Http1Transport;
  #http2: Http2Requests | undefined;
  #opening: Promise<Http2Requests | undefined> | undefined;
  #isHttp1 = false;
  #isClosed = false;

  constructor(url: URL, tls: TlsOptions, maxSockets: number) {
    this.#url = url;
    this.#tls = tls;
    this.#agent = new NegotiatedAgent({ keepAlive: true, maxSockets, ...tls });
    this.#http1 = new Http1Transport(url, this.#agent);
  }

  async post(request: Post, signal: AbortSignal): Promise<Answer> {
    for (;;) {
      if (this.#isHttp1) return this.#http1.post(request, signal);
      const kept = this.#http2?.isUsable === true ? this.#http2 : undefined;
      const http2 = kept ?? (await abortable(this.#open(), signal));
      if (http2 === undefined) continue;
      try {
        return await http2.post(withHost(request, this.#url), signal);
      } catch (error) {
        // A kept connection may have ended before it delivered the request.
        if (signal.aborted || kept === undefined || kept.isUsable) throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#http2?.[Symbol.dispose]();
    this.#http1[Symbol.dispose]();
  }

  /** Concurrent requests wait for the same connection. */
  #open(): Promise<Http2Requests | undefined> {
    this.#opening ??= this.#negotiate().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #negotiate(): Promise<Http2Requests | undefined> {
    const socket = await secured({
      ...this.#tls,
      ...endpointOf(this.#url, this.#tls.servername),
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    if (this.#isClosed) {
      socket.destroy();
      throw new Error('the connections are closed');
    }
    if (socket.alpnProtocol === 'h2') {
      this.#http2 = new Http2Requests(socket, this.#url.origin);
      return this.#http2;
    }
    this.#isHttp1 = true;
    this.#agent.adopt(socket);
    return undefined;
  }
}

const withHost = (request: Post, { host }: URL): Post => ({
  ...request,
  headers: { host, ...request.headers },
});

const HTTPS_PORT = 443;
/** Time for a connection without the request that needs it, which ends its own wait. */
const CONNECT_TIMEOUT_MS = 30_000;

function endpointOf({ hostname, port }: URL, serverName: string | undefined): TlsOptions {
  const host = hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: port === '' ? HTTPS_PORT : Number(port),
    ...(serverName === undefined && isIP(host) === 0 ? { servername: host } : {}),
  };
}

function secured(options: TlsOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = openTls(options);
    socket.setNoDelay(true);
    socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
      socket.destroy(new Error('the connection was not established in time')),
    );
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.once('secureConnect', () => {
      socket.setTimeout(0);
      socket.removeAllListeners('error');
      socket.removeAllListeners('close');
      resolve(socket);
    });
  });
}
