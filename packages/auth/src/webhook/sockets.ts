import { connect as openPlain, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as openTls, type TLSSocket, type ConnectionOptions as TlsOptions } from 'node:tls';
import { onAbort } from '@orch/machinery';

/** Time for a connection without the request that needs it, which ends its own wait. */
const CONNECT_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 30_000;

/** A connection without TLS. Rejects with its error, or with the reason of the signal. */
export const plain = (options: TcpNetConnectOpts, signal: AbortSignal): Promise<Socket> =>
  opened(openPlain(options), 'connect', signal);

/** A connection with TLS, to the server that the options name. Rejects with its error, or with the reason of the signal. */
export const secured = (options: TlsOptions, signal: AbortSignal): Promise<TLSSocket> =>
  opened(openTls(options), 'secureConnect', signal);

function opened<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  return new Promise((resolve, reject) => {
    let failure: unknown;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
      socket.destroy(new Error('the connection was not established in time')),
    );
    const fail = (error: unknown): void => {
      failure ??= error;
    };
    const closed = (): void => {
      unregister();
      reject(failure ?? new Error('the connection was closed'));
    };
    socket.on('error', fail);
    socket.once('close', closed);
    socket.once(event, () => {
      unregister();
      socket.setTimeout(0);
      socket.off('close', closed);
      resolve(socket);
    });
    const unregister = onAbort(signal, () => {
      fail(signal.reason);
      socket.destroy();
    });
  });
}
