import type { Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { onAbort } from '@orch/machinery';
import { isAddress } from './endpoint.ts';

const tcpKeepAliveMs = 30_000;
const ignore = (): void => {};

/** Resolves when the socket has come so far; otherwise destroys it and rejects with its error, or the signal's reason. */
export function reached<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  // A socket may fail between two of its owners; its `close` tells them, and an error without listener would end the process.
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

/** A TCP connection without delay for small writes, whose silent death the kernel notices too. */
export function openTcp(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  // Modules of the runtime are loaded when they are used: together they take longer than all of the client.
  const { connect } = process.getBuiltinModule('node:net');
  const options = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: tcpKeepAliveMs };
  return reached(connect(options), 'connect', signal);
}

/** How to speak TLS to a server. Certificates and keys are PEM. */
export interface TlsSettings {
  readonly ca?: string | readonly string[];
  /** The name that the certificate must have. */
  readonly serverName: string;
  readonly isUnverified: boolean;
  readonly cert?: string;
  readonly key?: string;
  readonly protocols: readonly string[];
}

/** TLS over a connection that is open already. */
export function openTls(socket: Socket, settings: TlsSettings, signal: AbortSignal): Promise<TLSSocket> {
  const { checkServerIdentity, connect } = process.getBuiltinModule('node:tls');
  const { ca, serverName, isUnverified, cert, key, protocols } = settings;
  const options: ConnectionOptions = {
    socket,
    ALPNProtocols: [...protocols],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: !isUnverified,
    // Addresses are not asked for by SNI (RFC 6066 section 3), but the certificate must be made out to them all the same.
    servername: isAddress(serverName) ? '' : serverName,
    checkServerIdentity: (_name, certificate) => checkServerIdentity(serverName, certificate),
    ...(ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  return reached(connect(options), 'secureConnect', signal);
}
