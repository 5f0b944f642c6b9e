import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '@orch/machinery';
import { type IpRange, parseIp, rangeContains, unmappedIp } from '@orch/machinery/net';
import { readProxyHeader } from './proxy-header.ts';

export interface ProxiedSocketsOptions {
  /** Addresses of balancers, whose connections must begin with a header. */
  readonly trusted: readonly IpRange[];
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'schedule'>;
  /** A connection was accepted; its header is not read yet. */
  readonly onAccepted: (socket: Socket) => void;
  /** A connection whose first byte is the client's; `client` is the address that a balancer names. */
  readonly onReady: (socket: Socket, client: string | undefined) => void;
  /** A connection of a balancer without a valid header in time. It is closed. */
  readonly onRefused: (socket: Socket, reason: string) => void;
}

/**
 * A TCP server, possibly behind balancers that begin connections with the PROXY protocol. Headers of other addresses are not read: they are
 * bytes of the client.
 */
export function proxiedSockets(options: ProxiedSocketsOptions): Server {
  const { trusted } = options;
  const settings = { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 };
  return createServer(settings, (socket) => {
    options.onAccepted(socket);
    const address = trusted.length === 0 ? undefined : parseIp(socket.remoteAddress ?? '');
    const isTrusted =
      address !== undefined && trusted.some((range) => rangeContains(range, unmappedIp(address)));
    if (isTrusted) readHeader(socket, options);
    else options.onReady(socket, undefined);
  });
}

function readHeader(socket: Socket, { clock, timeoutMs, onReady, onRefused }: ProxiedSocketsOptions): void {
  let received = Buffer.alloc(0);
  const leave = (): void => {
    cancel();
    socket.off('readable', onReadable).off('end', onEnd).off('close', leave);
  };
  const refuse = (reason: string): void => {
    leave();
    onRefused(socket, reason);
    socket.destroy();
  };
  const onEnd = (): void => refuse('the connection ended within its PROXY header');
  const onReadable = (): void => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    received = Buffer.concat([received, chunk]);
    const header = readProxyHeader(received);
    if (header === 'incomplete') return;
    if (header === 'invalid') {
      refuse('the connection does not begin with a PROXY header');
      return;
    }
    leave();
    const rest = received.subarray(header.length);
    if (rest.length > 0) socket.unshift(rest);
    onReady(socket, header.client);
  };
  const cancel = clock.schedule(timeoutMs, () => refuse('no PROXY header in time'));
  // A reset before TLS has its own listener must not end the process.
  socket.on('error', () => undefined);
  socket.on('readable', onReadable).on('end', onEnd).on('close', leave);
}
