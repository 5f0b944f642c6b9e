import { BlockList, isIP } from 'node:net';

/**
 * Who is reached. The node agent's own port may be on this machine; pods, services and other ports of nodes may not,
 * because whoever writes their addresses would otherwise reach what listens only to this machine.
 */
export type AddressUse = 'nodeAgent' | 'workload';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Addresses that lead to no workload and to no node: unspecified, link-local (where clouds serve credentials to the
 * machine), multicast, reserved, and forms that embed an IPv4 address so that a check of the outer one misses it.
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

/** Whether a connection may go to an IP address. IPv4 addresses in IPv6 form are judged as what they are. */
export function isAllowedAddress(address: string, use: AddressUse): boolean {
  const version = isIP(address);
  // A zone says through which interface: only link-local addresses need one.
  if (version === 0 || address.includes('%')) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (loopback.check(address, family)) return use === 'nodeAgent';
  return !never.check(address, family);
}

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/**
 * A host name that names resolve as a name: labels of letters, digits and dashes, and not one of the spellings of an
 * IPv4 address (`127.1`, `2130706433`, `0x7f.1`) that resolvers turn into an address without asking anybody.
 */
export function isHostName(text: string): boolean {
  if (text.length > 253) return false;
  const labels = text.split('.');
  const last = labels.at(-1) ?? '';
  return labels.every((one) => label.test(one)) && !/^(\d+|0x[0-9a-f]*)$/i.test(last);
}
