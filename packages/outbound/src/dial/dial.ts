import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { type ApiError, errors } from '@orch/machinery';
import { DeadlineExceeded } from '@orch/machinery/concurrency';
import { type AddressUse, isAllowedAddress, isHostName } from './addresses.ts';
import { type AcceptsAddress, checkedLookup } from './lookup.ts';
import { type Opening, openConnection, type TlsOpening } from './open.ts';

/** TLS options of a destination. */
export interface DestinationTls {
  /** Client certificate of this server, and trusted authorities. */
  readonly context: SecureContext;
  /** Whether the certificate of the destination must be valid for its host, or for `serverName`. */
  readonly verify: boolean;
  /** The name that the certificate must be valid for, if it is not the host. */
  readonly serverName?: string;
  /** Protocols of the application layer (ALPN), in order of preference; HTTP/1.1 when absent. */
  readonly protocols?: readonly string[];
}

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

/** `host:port`, with brackets around IPv6. */
export const hostPort = (host: string, port: number): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/** The error for an unreachable destination. Clients are not asked to retry automatically. */
const unreachable = ({ title, host, port }: Destination, why: string): ApiError =>
  errors.serviceUnavailable(`error trying to reach ${title} at ${hostPort(host, port)}: ${why}`, 0);

/**
 * Opens a connection, with TLS if the destination has it, within one timeout for both. The checked address is the one
 * that is used: a name is resolved once. Rejects with an `ApiError`, 503 for any failure of the destination
 * or the network, or with the signal's reason.
 */
export async function dial(destination: Destination, opening: Opening): Promise<Socket> {
  const { host, port, use, accepts = () => true } = destination;
  if (isIP(host) === 0 ? !isHostName(host) : !isAllowedAddress(host, use))
    throw unreachable(destination, 'address not allowed');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw unreachable(destination, 'no such port');
  const lookup = checkedLookup((address) => isAllowedAddress(address, use) && accepts(address));
  const { tls } = destination;
  try {
    return await openConnection({ host, port, lookup, ...(tls && { tls: tlsOf(host, tls) }) }, opening);
  } catch (error) {
    if (opening.signal.aborted) throw opening.signal.reason;
    throw unreachable(destination, reasonOf(error));
  }
}

const tlsOf = (host: string, tls: DestinationTls): TlsOpening => ({
  ...serverNameOf(host, tls),
  secureContext: tls.context,
  rejectUnauthorized: tls.verify,
  ALPNProtocols: [...(tls.protocols ?? ['http/1.1'])],
});

/** Addresses have no server name. */
const serverNameOf = (host: string, { serverName }: DestinationTls): { readonly servername?: string } => {
  const name = serverName ?? (isIP(host) === 0 ? host : undefined);
  return name === undefined ? {} : { servername: name };
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
function reasonOf(error: unknown): string {
  if (error instanceof DeadlineExceeded) return `no connection within ${error.afterMs} ms`;
  if (!(error instanceof Error)) return 'unknown reason';
  const { code } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : systemCodes[code]) ?? (error.message || code || 'unknown reason');
}
