import { type IpAddress, parseIp, parseIpRange, rangeContains, unmappedIp } from '@orch/machinery/net';
import type { Endpoint } from '../transport/endpoint.ts';

/** The part of a server that is compared. */
type Destination = Pick<Endpoint, 'host' | 'port'>;

const ranges = (...texts: readonly string[]) => texts.flatMap((text) => parseIpRange(text) ?? []);
const loopback = ['127.0.0.0/8', '::1/128'];

/** Reports whether connections to a server never leave this machine. */
export function isLocal({ host }: Destination): boolean {
  const address = addressOf(host);
  if (address === undefined) return host === 'localhost';
  return ranges(...loopback).some((range) => rangeContains(range, address));
}

/**
 * Reports whether a list such as `NO_PROXY` contains a server: `*`, addresses, address ranges and names, separated by commas.
 * `example.com` is the name and those below it, `.example.com` and `*.example.com` only those below it. Addresses and names may have
 * a port. Names are compared as text; they are not resolved.
 */
export const isListed = (list: string, { host, port }: Destination): boolean => {
  const address = addressOf(host);
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry === '*' || matches(entry, { host, port, address }));
};

function matches(entry: string, { host, port, address }: Destination & { address: IpAddress | undefined }) {
  if (address !== undefined && ranges(entry).some((range) => rangeContains(range, address))) return true;
  const [listed, listedPort] = splitPort(entry);
  if (listed === '' || (listedPort !== '' && listedPort !== String(port))) return false;
  if (address === undefined) return matchesName(host, listed);
  const listedAddress = addressOf(listed);
  return listedAddress?.family === address.family && listedAddress.number === address.number;
}

function matchesName(host: string, listed: string): boolean {
  const name = asciiName(listed.replace(/^\*?\./, ''));
  const isBelowOnly = listed.startsWith('.') || listed.startsWith('*.');
  return host.endsWith(`.${name}`) || (!isBelowOnly && host === name);
}

/** An address in brackets has a port; one without brackets has none. */
function splitPort(entry: string): readonly [host: string, port: string] {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*)):([^:]*)$/.exec(entry) ?? [];
  return port === undefined ? [entry, ''] : [bracketed ?? plain ?? '', port];
}

/** An IPv4 address in IPv6 format is compared as the IPv4 address. */
function addressOf(host: string): IpAddress | undefined {
  const address = parseIp(host);
  return address === undefined ? undefined : unmappedIp(address);
}

/** The name as in URLs, where names beyond ASCII are in Punycode. */
const asciiName = (name: string): string =>
  /^\p{ASCII}*$/u.test(name) ? name : (URL.parse(`http://${name}`)?.hostname ?? name);
