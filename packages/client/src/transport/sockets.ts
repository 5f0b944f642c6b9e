import type { Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { onAbort } from '@orch/machinery/concurrency';
import { defaultAuthorities } from '../default-authorities.ts';
import { isAddress } from './endpoint.ts';

const TCP_KEEP_ALIVE_MS = 30_000;
const ignore = (): void => {};

/** Resolves when the socket emits the event; otherwise destroys it and rejects with its error, or the reason of the signal. */
function reached<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  // A socket may fail between two owners, who see its `close`. An `error` without a listener would end the process.
  socket.on('error', ignore);
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      unregister();
      socket.off('error', fail);
      socket.off('close', ended);
      socket.off(event, done);
      act();
    };
    const fail = (cause: unknown): void =>
      settle(() => {
        socket.destroy();
        reject(cause);
      });
    const ended = (): void => fail(new Error('the connection was closed'));
    const done = (): void => settle(() => resolve(socket));
    socket.once('error', fail);
    socket.once('close', ended);
    socket.once(event, done);
    let unregister = ignore;
    unregister = onAbort(signal, () => fail(signal.reason));
  });
}

/** A TCP connection without delay for small writes, with keep-alive by the kernel. */
export function openTcp(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  // Modules of the runtime are loaded on first use: together they take longer to load than the rest of the client.
  const { connect } = process.getBuiltinModule('node:net');
  const options = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: TCP_KEEP_ALIVE_MS };
  return reached(connect(options), 'connect', signal);
}

/** TLS settings for a server. Certificates and keys are PEM. */
export interface TlsSettings {
  readonly ca?: string | readonly string[];
  /** The name for which the certificate must be valid. */
  readonly serverName: string;
  readonly isUnverified: boolean;
  readonly cert?: string;
  readonly key?: string;
  readonly protocols: readonly string[];
}

/** TLS over an open connection. */
export function openTls(socket: Socket, settings: TlsSettings, signal: AbortSignal): Promise<TLSSocket> {
  const { checkServerIdentity, connect } = process.getBuiltinModule('node:tls');
  const { serverName, isUnverified, cert, key, protocols } = settings;
  const ca = settings.ca ?? (isUnverified ? undefined : defaultAuthorities());
  const options: ConnectionOptions = {
    socket,
    ALPNProtocols: [...protocols],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: !isUnverified,
    // SNI has no addresses (RFC 6066 section 3), but the certificate must be valid for them.
    servername: isAddress(serverName) ? '' : serverName,
    checkServerIdentity: (_name, certificate) => checkServerIdentity(serverName, certificate),
    ...(ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  return reached(connect(options), 'secureConnect', signal);
}
