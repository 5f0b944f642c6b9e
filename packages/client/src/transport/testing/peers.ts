import { once } from 'node:events';
import { createServer as createHttp, type Server as HttpServer, type RequestListener } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { systemClock } from '@orch/machinery/env';
import { seededRandom } from '@orch/machinery/testing';
import type { Credentials, Identity } from '../../credentials/types.ts';
import type { ConnectionSettings } from '../connection-settings.ts';
import { type NetworkTransportOptions, networkTransport } from '../network-transport.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { serving } from './certificates.ts';

/** A server that a test controls, with the connections that it has accepted. */
export interface Peer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** HTTP/2 connections that are open. */
  readonly sessions: ReadonlySet<ServerHttp2Session>;
  /** Connections that were ever made. */
  readonly connections: number;
  /** Ends all TCP connections in order, without closing TLS or HTTP/2. */
  endSockets(): void;
}

type StreamHandler = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function watched(server: Server): SeenConnections {
  const seen = { connections: 0, sockets: new Set<Socket>() };
  server.on('connection', (socket: Socket) => {
    seen.connections++;
    seen.sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => seen.sockets.delete(socket));
  });
  return seen;
}

/** An HTTP/2 server over TLS. */
export async function http2Peer(onStream: StreamHandler, options: SecureServerOptions = {}): Promise<Peer> {
  const server: Http2SecureServer = createSecureServer({ ...serving, ...options });
  const seen = watched(server);
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {});
    session.once('close', () => sessions.delete(session));
  });
  server.on('sessionError', () => {});
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    onStream(stream, headers);
  });
  const port = await listening(server);
  return peer(server, { scheme: 'https', port, seen, sessions });
}

/** A server that supports only HTTP/1.1, over TLS. */
export async function http1TlsPeer(onRequest: RequestListener, options: TlsOptions = {}): Promise<Peer> {
  const { createServer } = await import('node:https');
  const server = createServer({ ...serving, ...options }, onRequest);
  const seen = watched(server);
  return peer(server, { scheme: 'https', port: await listening(server), seen, sessions: new Set() });
}

/** A server without TLS. */
export async function http1Peer(onRequest: RequestListener): Promise<Peer> {
  const server: HttpServer = createHttp(onRequest);
  const seen = watched(server);
  return peer(server, { scheme: 'http', port: await listening(server), seen, sessions: new Set() });
}

/** The connections of a server since its start. */
interface SeenConnections {
  connections: number;
  readonly sockets: Set<Socket>;
}

interface Listening {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  readonly seen: SeenConnections;
  readonly sessions: ReadonlySet<ServerHttp2Session>;
}

function peer(server: Server, { scheme, port, seen, sessions }: Listening): Peer {
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    sessions,
    get connections() {
      return seen.connections;
    },
    endSockets() {
      for (const socket of seen.sockets) socket.end();
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of seen.sockets) socket.destroy();
      await closed;
    },
  };
}

/** A TCP relay that can stop forwarding without closing its connections. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** Stops forwarding on the existing connections, in both directions. */
  freeze(): void;
  /** Resets all connections. */
  cut(): void;
}

export async function relayTo(port: number): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createTcp((client) => {
    const origin = connect(port, '127.0.0.1');
    const pair = [client, origin] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [origin, client] as const]) {
      from.on('error', () => to.destroy());
      from.once('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  const cut = (): void => {
    for (const [client, origin] of pairs) {
      client.resetAndDestroy();
      origin.destroy();
    }
  };
  return {
    port: await listening(server),
    freeze() {
      for (const [client, origin] of pairs) {
        client.unpipe(origin);
        origin.unpipe(client);
        client.pause();
        origin.pause();
      }
    },
    cut,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}

/** Credentials that a test replaces. */
export class Wallet implements Credentials {
  identity: Identity;
  /** Given out after the first one was rejected. */
  readonly #next: Identity[];
  readonly listeners = new Set<() => void>();
  rejections = 0;

  constructor(first: Identity = { headers: {} }, ...next: Identity[]) {
    this.identity = first;
    this.#next = next;
  }

  async current(signal: AbortSignal): Promise<Identity> {
    signal.throwIfAborted();
    return this.identity;
  }

  rejected(identity: Identity): boolean {
    this.rejections++;
    const next = this.#next.shift();
    if (next === undefined || identity !== this.identity) return false;
    this.identity = next;
    return true;
  }

  onTlsChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Changes the certificate, as an exec plugin may. */
  change(identity: Identity): void {
    this.identity = identity;
    for (const listener of this.listeners) listener();
  }
}

/** Settings that trust the peers' certificate. */
export const settingsFor = (server: string, rest: Partial<ConnectionSettings> = {}): ConnectionSettings => ({
  server,
  ca: serving.cert,
  insecureSkipTlsVerify: false,
  disableCompression: false,
  credentials: new Wallet(),
  ...rest,
});

/** A transport that is closed with the test; on the real clock by default. */
export function transportTo(
  settings: ConnectionSettings,
  options: NetworkTransportOptions & { clock?: typeof systemClock } = {},
): Transport & AsyncDisposable {
  const { clock = systemClock, ...rest } = options;
  const transport = networkTransport(settings, { clock, random: seededRandom(1) }, rest);
  return Object.assign(transport, { [Symbol.asyncDispose]: () => transport.close() });
}

export const get = (target: string, headers: TransportRequest['headers'] = {}): TransportRequest => ({
  method: 'GET',
  target,
  headers,
});

export const post = (target: string, body: string): TransportRequest => ({
  method: 'POST',
  target,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from(body),
});

/** The deadline of everything in these tests. */
export const soon = (): AbortSignal => AbortSignal.timeout(20_000);

export async function textOf(response: TransportResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The text of a successful answer. */
export async function fetchText(transport: Transport, request: TransportRequest): Promise<string> {
  return textOf(await transport.send(request, soon()));
}
