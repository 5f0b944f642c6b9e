import { isIP, type LookupFunction, type Socket } from 'node:net';
import { checkServerIdentity, createSecureContext, type PeerCertificate } from 'node:tls';
import type { Clock, Metrics } from '@orch/machinery';
import { certificateNamesCounter, openConnection, type TlsOpening } from '@orch/outbound';
import type { RemoteService } from './client-config.ts';

/** Options of connections to a service. */
export interface DialOptions {
  readonly clock: Clock;
  /** Counts certificates without alternative names; they are not counted when absent. */
  readonly metrics?: Metrics;
  /** Resolves names; that of the system when absent. */
  readonly lookup?: LookupFunction;
}

/** For one connection, TLS included. */
const DIAL_MS = 30_000;

/** Opens a connection with one of these protocols. Rejects with an error of the connection, or with the reason of the signal. */
export type Dial = (protocols: readonly string[], signal: AbortSignal) => Promise<Socket>;

/** Connects to a service. Throws when certificate or key cannot be read. */
export function dialService(service: RemoteService, options: DialOptions): Dial {
  const { hostname, port, protocol } = service.url;
  const isSecure = protocol === 'https:';
  const { clock, lookup } = options;
  const end = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    ...(lookup === undefined ? {} : { lookup }),
  };
  if (!isSecure) return (_protocols, signal) => openConnection(end, { clock, timeoutMs: DIAL_MS, signal });
  const tls = tlsOf(service, end.host, options);
  /** TLS session of the last verified connection, which further connections resume. */
  let session: Buffer | undefined;
  return async (protocols, signal) => {
    const resumed = session === undefined ? {} : { session };
    const socket = await openConnection(
      { ...end, tls: { ...tls, ...resumed, ALPNProtocols: [...protocols] } },
      { clock, timeoutMs: DIAL_MS, signal },
    );
    socket.on('session', (ticket: Buffer) => {
      session = ticket;
    });
    return socket;
  };
}

function tlsOf(
  { identity, ca, serverName, isUnverified }: RemoteService,
  host: string,
  { metrics }: DialOptions,
): TlsOpening {
  // A certificate among the authorities is trusted itself, also when it is that of the service.
  const trust = ca === undefined ? {} : { ca, allowPartialTrustChain: true };
  const name = serverName ?? (isIP(host) === 0 ? host : undefined);
  const saw =
    metrics && certificateNamesCounter(metrics, 'apiserver_webhooks_x509_missing_san_total', 'services');
  return {
    // Created in advance, so that unreadable certificates are reported at the start.
    secureContext: createSecureContext({ ...trust, ...identity }),
    ...(name === undefined ? {} : { servername: name }),
    rejectUnauthorized: !isUnverified,
    checkServerIdentity(checked: string, certificate: PeerCertificate) {
      saw?.(certificate);
      return checkServerIdentity(checked, certificate);
    },
  };
}
