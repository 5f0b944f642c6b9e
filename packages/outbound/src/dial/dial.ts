import { type LookupAddress, type LookupAllOptions, lookup as resolveName } from 'node:dns';
import {
  isIP,
  type LookupFunction,
  connect as openSocket,
  type Socket,
  type TcpNetConnectOpts,
} from 'node:net';
import { connect as openTls, type SecureContext } from 'node:tls';
import { type ApiError, type Clock, DeadlineExceeded, errors, withDeadline } from '@orch/machinery';
import { type AddressUse, isAllowedAddress, isHostName } from './addresses.ts';

/** TLS options of a destination. */
export interface DestinationTls {
  /** Client certificate of this server, and trusted authorities. */
  readonly context: SecureContext;
  /** Whether the certificate of the destination must be valid for its host, or for `serverName`. */
  readonly verify: boolean;
  /** The name that the certificate must be valid for, where it is not the host. */
  readonly serverName?: string;
  /** Protocols of the application layer (ALPN), in order of preference; HTTP/1.1 when absent. */
  readonly protocols?: readonly string[];
}

/** Whether this server connects to an IP address. */
export type AcceptsAddress = (host: string) => boolean;

/** The destination of a connection that this server opens for a client. */
export interface Destination {
  /** IP address or host name. */
  readonly host: string;
  readonly port: number;
  readonly use: AddressUse;
  /** Whether a host name may have an address that `use` allows; it may when absent. */
  readonly accepts?: AcceptsAddress;
  /** Plain TCP when undefined. */
  readonly tls?: DestinationTls;
  /** For messages: `the node agent of node "n"`. */
  readonly title: string;
}

/** Opens a TCP connection; `net.connect` except in tests. */
export type OpenTcp = (options: TcpNetConnectOpts) => Socket;

export interface Dialing {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly openTcp?: OpenTcp;
}

/** `host:port`, with brackets around IPv6. */
export const hostPort = (host: string, port: number): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/** The error for an unreachable destination. Clients are not asked to retry automatically. */
export const unreachable = ({ title, host, port }: Destination, why: string): ApiError =>
  errors.serviceUnavailable(`error trying to reach ${title} at ${hostPort(host, port)}: ${why}`, 0);

/**
 * Opens a connection, with TLS if the destination has it, within one timeout for both. The checked address is the one
 * that is used: a name is resolved once. Rejects with an `ApiError`, 503 for any failure of the destination
 * or the network, or with the signal's reason.
 */
export async function dial(destination: Destination, dialing: Dialing): Promise<Socket> {
  const { host, port, use, accepts = () => true } = destination;
  if (isIP(host) === 0 ? !isHostName(host) : !isAllowedAddress(host, use))
    throw unreachable(destination, 'address not allowed');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw unreachable(destination, 'no such port');
  using limit = withDeadline(dialing.signal, dialing.clock, dialing.timeoutMs);
  const { openTcp = openSocket } = dialing;
  try {
    const lookup = checkedLookup((address) => isAllowedAddress(address, use) && accepts(address));
    const tcp = openTcp({ host, port, lookup, allowHalfOpen: true, noDelay: true });
    tcp.setKeepAlive(true, 30_000);
    await opened(tcp, 'connect', limit.signal);
    return destination.tls === undefined ? tcp : await secured(tcp, destination, limit.signal);
  } catch (error) {
    if (dialing.signal.aborted) throw dialing.signal.reason;
    throw unreachable(destination, reasonOf(error));
  }
}

async function secured(tcp: Socket, { host, tls }: Destination, signal: AbortSignal): Promise<Socket> {
  const socket = openTls({
    socket: tcp,
    host,
    ...serverNameOf(host, tls),
    secureContext: tls?.context,
    rejectUnauthorized: tls?.verify === true,
    ALPNProtocols: [...(tls?.protocols ?? ['http/1.1'])],
  });
  await opened(socket, 'secureConnect', signal);
  return socket;
}

/** Addresses have no server name. */
const serverNameOf = (host: string, tls: DestinationTls | undefined): { readonly servername?: string } => {
  const name = tls?.serverName ?? (isIP(host) === 0 ? host : undefined);
  return name === undefined ? {} : { servername: name };
};

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

/** Resolves a name to all of its addresses. */
export type ResolveName = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Resolves names to addresses that `isAllowed` accepts only. A name with a forbidden address is refused. */
export const checkedLookup =
  (isAllowed: AcceptsAddress, resolve: ResolveName = resolveName): LookupFunction =>
  (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => !isAllowed(address))) {
        callback(new Error('address not allowed'), '');
        return;
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

const systemCodes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name server does not answer',
  ETIMEDOUT: 'i/o timeout',
};

/** A one-line reason for a failed connection. */
export function reasonOf(error: unknown): string {
  if (error instanceof DeadlineExceeded) return `no connection within ${error.afterMs} ms`;
  if (!(error instanceof Error)) return 'unknown reason';
  const { code } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : systemCodes[code]) ?? (error.message || code || 'unknown reason');
}
