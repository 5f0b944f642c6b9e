import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The headers of a request, and the addresses of its connection. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: {
    readonly localAddress?: string | undefined;
    readonly remoteAddress?: string | undefined;
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an address is one of the machine itself that no other machine can connect to. */
export function isLoopback(address: string | undefined): boolean {
  const family = isIP(address ?? '');
  return family !== 0 && loopback.check(address ?? '', family === 4 ? 'ipv4' : 'ipv6');
}

/** Fields of proxies, which relay requests of other machines. */
const relayed = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/**
 * Why a request is not one of a person or program on this machine that addresses this port; undefined when it is. A name in the
 * field `Host` other than `localhost` is one that a page in a browser may have bound to this address, and `Sec-Fetch-Site` and
 * `Origin` come from such pages.
 */
export function foreignReason({ headers, socket }: ReceivedRequest): string | undefined {
  if (!isLoopback(socket.localAddress) || !isLoopback(socket.remoteAddress)) return 'another machine';
  if (relayed.some((name) => headers[name] !== undefined)) return 'a proxy';
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (host.toLowerCase() !== 'localhost' && !isLoopback(host)) return 'another host name';
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined || (site !== undefined && site !== 'none')) return 'a page in a browser';
  return undefined;
}
