import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Clock, messageOf } from '@orch/machinery';
import { DeadlineExceeded, withDeadline } from '@orch/machinery/concurrency';
import type { Identity } from '../credentials/types.ts';
import { type Endpoint, hostAndPort } from './endpoint.ts';
import { openThrough, type ProxyServer } from './proxy.ts';
import { openTcp, openTls } from './sockets.ts';
import { TransportError } from './transport.ts';

/** The name of a protocol in ALPN. */
export type HttpProtocol = 'h2' | 'http/1.1';

/** The settings of connections, apart from the client certificate. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly proxy?: ProxyServer;
  readonly ca?: string;
  readonly serverName?: string;
  readonly isUnverified: boolean;
  readonly connectTimeoutMs: number;
  /** The protocols that are offered to a TLS server; those of the runtime when absent. */
  readonly protocols?: readonly HttpProtocol[];
}

export interface Dialled {
  readonly socket: Socket | TLSSocket;
  readonly protocol: HttpProtocol;
}

/**
 * The protocols that this runtime has. HTTP/2 of Bun does not extend the window of a stream (1.4.5): a body that is longer than the
 * first window never ends.
 */
const runtimeProtocols: readonly HttpProtocol[] =
  process.versions['bun'] === undefined ? ['h2', 'http/1.1'] : ['http/1.1'];

/** Connects. Rejects with a `TransportError` `notSent`, also after the timeout; the socket is destroyed then. */
export async function dial(
  route: Route,
  { tls, clock }: { readonly tls: Identity['tls']; readonly clock: Clock },
  signal: AbortSignal,
): Promise<Dialled> {
  using deadline = withDeadline(signal, clock, route.connectTimeoutMs);
  try {
    return await open(route, tls, deadline.signal);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const why =
      cause instanceof DeadlineExceeded
        ? `no connection within ${route.connectTimeoutMs} ms`
        : problemOf(cause);
    const through = route.proxy === undefined ? '' : ` through the proxy ${hostAndPort(route.proxy)}`;
    throw new TransportError('notSent', `cannot connect to ${route.endpoint.origin}${through}: ${why}`, {
      cause,
    });
  }
}

async function open(route: Route, tls: Identity['tls'], signal: AbortSignal): Promise<Dialled> {
  const { endpoint, proxy, ca, serverName, isUnverified } = route;
  const socket =
    proxy === undefined
      ? await openTcp(endpoint.host, endpoint.port, signal)
      : await openThrough(proxy, { endpoint, ca }, signal);
  if (!endpoint.isSecure) return { socket, protocol: 'http/1.1' };
  const secure = await openTls(
    socket,
    {
      serverName: serverName ?? endpoint.host,
      isUnverified,
      protocols: route.protocols ?? runtimeProtocols,
      ...(ca === undefined ? {} : { ca }),
      ...(tls ?? {}),
    },
    signal,
  );
  return { socket: secure, protocol: secure.alpnProtocol === 'h2' ? 'h2' : 'http/1.1' };
}

/** The message of an error; several attempts (one per address) result in one error without a message. */
export function problemOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0)
    return cause.errors.map(problemOf).join(', ');
  return messageOf(cause);
}
