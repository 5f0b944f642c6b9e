import { isIP, type TcpNetConnectOpts } from 'node:net';
import {
  checkServerIdentity,
  createSecureContext,
  type PeerCertificate,
  type TLSSocket,
  type ConnectionOptions as TlsOptions,
} from 'node:tls';
import { abortable } from '@orch/machinery';
import type { RemoteService } from './client-config.ts';
import type { Answer, ConnectionOptions, Post } from './exchange.ts';
import { Http1Requests } from './http1-requests.ts';
import { Http2Requests } from './http2-requests.ts';
import { plain, secured } from './sockets.ts';

/** Requests to one service over connections that are kept. */
export interface Transport extends Disposable {
  /** Rejects with an error of the connection, or with the reason of the signal. */
  post(request: Post, signal: AbortSignal): Promise<Answer>;
}

type Options = Pick<ConnectionOptions, 'sawCertificate' | 'lookup'> & { readonly maxSockets: number };
type Address = Pick<TcpNetConnectOpts, 'host' | 'lookup'> & { readonly port: number };

/** HTTP/2 where the service offers it, else HTTP/1.1. Throws when certificate or key cannot be read. */
export function transportTo(service: RemoteService, options: Options): Transport {
  const address = addressOf(service.url, options);
  return service.url.protocol === 'https:'
    ? new SecureTransport(service.url.origin, { ...address, ...tlsOf(service, options) }, options.maxSockets)
    : new Http1Requests((signal) => plain(address, signal), options.maxSockets);
}

const portOf = ({ protocol, port }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

const addressOf = (url: URL, { lookup }: Options): Address => ({
  host: url.hostname.replace(/^\[|\]$/g, ''),
  port: portOf(url),
  ...(lookup === undefined ? {} : { lookup }),
});

function tlsOf(
  { url, identity, ca, serverName, isUnverified }: RemoteService,
  { sawCertificate }: Options,
): TlsOptions {
  // A certificate among the authorities is trusted itself, also when it is that of the service.
  const trust = ca === undefined ? {} : { ca, allowPartialTrustChain: true };
  const name = serverName ?? (isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 ? url.hostname : undefined);
  return {
    // Created in advance, so that unreadable certificates are reported at the start.
    secureContext: createSecureContext({ ...trust, ...identity }),
    ...(name === undefined ? {} : { servername: name }),
    rejectUnauthorized: !isUnverified,
    checkServerIdentity(checked: string, certificate: PeerCertificate) {
      sawCertificate?.(certificate);
      return checkServerIdentity(checked, certificate);
    },
  };
}

/** Negotiates the protocol with the first connection. */
class SecureTransport implements Transport {
  readonly #origin: string;
  readonly #tls: TlsOptions;
  readonly #http1: Http1Requests;
  readonly #closing = new AbortController();
  #http2: Http2Requests | undefined;
  #opening: Promise<Http2Requests | undefined> | undefined;
  #isHttp1 = false;
  /** Of the last connection that was verified: further ones are resumed. */
  #session: Buffer | undefined;

  constructor(origin: string, tls: TlsOptions, maxSockets: number) {
    this.#origin = origin;
    this.#tls = tls;
    this.#http1 = new Http1Requests((signal) => this.#connect(['http/1.1'], signal), maxSockets);
  }

  async post(request: Post, signal: AbortSignal): Promise<Answer> {
    for (;;) {
      if (this.#isHttp1) return this.#http1.post(request, signal);
      const kept = this.#http2?.isUsable === true ? this.#http2 : undefined;
      const http2 = kept ?? (await abortable(this.#open(), signal));
      if (http2 === undefined) continue;
      try {
        return await http2.post(request, signal);
      } catch (error) {
        // A kept connection may have ended before it delivered the request.
        if (signal.aborted || kept === undefined || kept.isUsable) throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#closing.abort(new Error('the connections are closed'));
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
    const { signal } = this.#closing;
    const socket = await this.#connect(['h2', 'http/1.1'], signal);
    if (signal.aborted) {
      socket.destroy();
      throw signal.reason;
    }
    if (socket.alpnProtocol === 'h2') {
      this.#http2 = new Http2Requests(socket, this.#origin);
      return this.#http2;
    }
    this.#isHttp1 = true;
    this.#http1.adopt(socket);
    return undefined;
  }

  async #connect(protocols: string[], signal: AbortSignal): Promise<TLSSocket> {
    const session = this.#session === undefined ? {} : { session: this.#session };
    const socket = await secured({ ...this.#tls, ...session, ALPNProtocols: protocols }, signal);
    socket.on('session', (ticket) => {
      this.#session = ticket;
    });
    return socket;
  }
}
