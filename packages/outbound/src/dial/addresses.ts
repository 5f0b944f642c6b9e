import { BlockList, isIP } from 'node:net';

/**
 * Kinds of destinations. Only the port of the node agent may be on this machine; pods, services and other ports of nodes
 * may not: their addresses come from users, who could otherwise reach local services of this machine.
 */
export type AddressUse = 'nodeAgent' | 'workload';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Addresses of neither workloads nor nodes: unspecified, link-local (where clouds serve credentials to the
 * machine), multicast, reserved, and formats that embed an IPv4 address to evade a check of the outer one.
 */
const never = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  never.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 96],
  ['64:ff9b::a9fe:0:0', 96],
  ['64:ff9b::a9fe:0', 112],
  ['64:ff9b::7f00:0', 104],
  ['fd00:ec2::254', 128],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  never.addSubnet(network, bits, 'ipv6');
}

/** Reports whether an IP address may be dialled. IPv4 addresses in IPv6 format are checked as IPv4. */
export function isAllowedAddress(address: string, use: AddressUse): boolean {
  const version = isIP(address);
  // Only link-local addresses have a zone.
  if (version === 0 || address.includes('%')) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (loopback.check(address, family)) return use === 'nodeAgent';
  return !never.check(address, family);
}

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/**
 * Reports whether a string is a host name: labels of letters, digits and dashes, and not one of the spellings of an
 * IPv4 address (`127.1`, `2130706433`, `0x7f.1`) that resolvers convert without a query.
 */
export function isHostName(text: string): boolean {
  if (text.length > 253) return false;
  const labels = text.split('.');
  const last = labels.at(-1) ?? '';
  return labels.every((one) => label.test(one)) && !/^(\d+|0x[0-9a-f]*)$/i.test(last);
}
