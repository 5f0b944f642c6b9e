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

/** Reports whether an address belongs to this machine and no other machine can connect from it. */
export function isLoopback(address: string | undefined): boolean {
  const family = isIP(address ?? '');
  return family !== 0 && loopback.check(address ?? '', family === 4 ? 'ipv4' : 'ipv6');
}

/** Header fields of proxies, which relay requests of other machines. */
const relayed = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/**
 * The reason why a request does not come from this machine or does not address this port; undefined when it may be
 * served. A `Host` other than `localhost` may be a name that a web page has bound to this address, and `Sec-Fetch-Site`
 * and `Origin` are sent by such pages.
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
