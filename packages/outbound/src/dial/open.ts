import { type LookupFunction, connect as openSocket, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as openTls, type ConnectionOptions as TlsOptions } from 'node:tls';
import type { Clock } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';

/** Opens a TCP connection; `net.connect` except in tests. */
export type OpenTcp = (options: TcpNetConnectOpts) => Socket;

/** Options of opening a connection. */
export interface Opening {
  readonly clock: Clock;
  /** Time limit for the connection, including TLS. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly openTcp?: OpenTcp;
}

export type TlsOpening = Omit<TlsOptions, 'socket' | 'host' | 'port' | 'lookup'>;

/** The other end of a connection. */
export interface OtherEnd {
  readonly host: string;
  readonly port: number;
  /** Resolves the name once for the connection; the resolver of the machine when absent. */
  readonly lookup?: LookupFunction;
  /** Plain TCP when absent. */
  readonly tls?: TlsOpening;
}

/** The first probe of an idle connection, after which it is known whether the other end is still there. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Opens a connection, with TLS if it has options for it, within one timeout for both. The address is not checked unless `lookup` does.
 * Rejects with the error of the connection, with `DeadlineExceeded`, or with the signal's reason.
 */
export async function openConnection({ tls, ...end }: OtherEnd, opening: Opening): Promise<Socket> {
  using limit = withDeadline(opening.signal, opening.clock, opening.timeoutMs);
  const { openTcp = openSocket } = opening;
  const tcp = openTcp({ ...end, allowHalfOpen: true, noDelay: true });
  tcp.setKeepAlive(true, KEEP_ALIVE_MS);
  await opened(tcp, 'connect', limit.signal);
  if (tls === undefined) return tcp;
  const socket = openTls({ ...tls, socket: tcp, host: end.host });
  await opened(socket, 'secureConnect', limit.signal);
  return socket;
}

/** Waits until the socket is open; it is destroyed on failure and abort. */
function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (error?: unknown): void => {
      signal.removeEventListener('abort', abort);
      socket.off(event, onOpen);
      socket.off('close', onClose);
      if (error === undefined) {
        resolve();
        return;
      }
      socket.destroy();
      reject(error);
    };
    const abort = (): void => finish(signal.reason);
    const onOpen = (): void => finish();
    const onClose = (): void => finish(new Error('the connection was closed'));
    // Stays registered: an error after the opening is followed by 'close', which the user of the socket handles.
    socket.on('error', finish);
    socket.once(event, onOpen);
    socket.once('close', onClose);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
