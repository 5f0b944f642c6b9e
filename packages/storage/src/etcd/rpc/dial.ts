import { type Socket, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { type Clock, messageOf } from '@orch/machinery';
import { Connection, type ConnectionEvents, type Transport } from '../http2/connection.ts';
import type { Endpoint } from './endpoint.ts';

/** Credentials for TLS, PEM. Without `ca` the system's authorities are trusted. */
export interface TlsOptions {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Name that the server's certificate must have, when it is not the endpoint's host. */
  readonly serverName?: string;
}

/** Credentials, or what returns those of the next connection. */
export type TlsSource = TlsOptions | (() => TlsOptions);

/** A transport that is not connected yet: it emits `connect`, or `secureConnect` for an endpoint with TLS. */
export interface DialledTransport extends Transport {
  readonly alpnProtocol?: string | false | null;
  once(event: 'connect' | 'secureConnect' | 'error' | 'close', listener: (error: Error) => void): unknown;
}

/** Begins to connect to an endpoint. `onRead` receives what the peer sends; the buffer may be reused after the call. */
export type OpenTransport = (
  endpoint: Endpoint,
  onRead: (chunk: Buffer, length: number) => void,
) => DialledTransport;

export interface DialOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly tls: TlsSource | undefined;
  /** Replaces sockets. */
  readonly openTransport?: OpenTransport | undefined;
}

const READ_BUFFER_BYTES = 128 * 1024;
const TCP_KEEPALIVE_MS = 30_000;
const windows = { streamWindowBytes: 2 * 1024 * 1024, connectionWindowBytes: 16 * 1024 * 1024 };

/**
 * Connects to an endpoint and resolves when the peer has sent its HTTP/2 settings. Rejects when that fails or takes
 * longer than the timeout; the socket is then destroyed. `events.ready` is not called.
 */
export function dial(
  endpoint: Endpoint,
  options: DialOptions,
  events: Omit<ConnectionEvents, 'ready'>,
): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let connection: Connection | undefined;
    let isDone = false;
    const finish = (act: () => void) => {
      if (isDone) return;
      isDone = true;
      cancelTimer();
      act();
    };
    const fail = (cause: unknown) =>
      finish(() => reject(new Error(`cannot connect to ${endpoint.url}: ${messageOf(cause)}`, { cause })));

    const open: OpenTransport =
      options.openTransport ?? ((to, onRead) => openSocket(to, options.tls, onRead));
    const socket = open(endpoint, (chunk, length) => connection?.receive(chunk, length));
    const cancelTimer = options.clock.schedule(options.timeoutMs, () => {
      fail(new Error(`no answer within ${options.timeoutMs} ms`));
      socket.destroy();
    });
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('the connection was closed')));
    socket.once(endpoint.tls ? 'secureConnect' : 'connect', () => {
      if (endpoint.tls && socket.alpnProtocol !== 'h2') {
        fail(new Error('the server does not offer HTTP/2'));
        socket.destroy();
        return;
      }
      const established = new Connection(socket, windows, {
        ready: () => finish(() => resolve(established)),
        draining: () => events.draining(),
        capacity: () => events.capacity(),
        closed: (cause) => {
          if (isDone) events.closed(cause);
          else fail(cause);
        },
      });
      connection = established;
    });
  });
}

function openSocket(
  endpoint: Endpoint,
  tls: TlsSource | undefined,
  onRead: (chunk: Buffer, length: number) => void,
): Socket {
  const { host, port, socketPath } = endpoint;
  const onread = {
    buffer: Buffer.allocUnsafeSlow(READ_BUFFER_BYTES),
    callback: (length: number, buffer: Uint8Array) => {
      onRead(buffer as Buffer, length);
      return true;
    },
  };
  const common = {
    ...(socketPath === undefined ? { host, port } : { path: socketPath }),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEPALIVE_MS,
    onread,
  };
  if (!endpoint.tls) return tcpConnect(common);
  const { serverName, ...credentials } = (typeof tls === 'function' ? tls() : tls) ?? {};
  const identity = serverName === undefined ? {} : { servername: serverName };
  return tlsConnect({ ...common, ...credentials, ...identity, ALPNProtocols: ['h2'], minVersion: 'TLSv1.2' });
}
