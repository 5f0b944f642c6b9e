import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Settings } from './settings/settings.ts';

/** Reports whether other machines can connect to the address. */
const leadsElsewhere = (address: string): boolean =>
  !['0.0.0.0', '::', '::1'].includes(address) &&
  !address.startsWith('127.') &&
  !/^(?:169\.254\.|fe[89ab])/i.test(address);

/** All addresses of the machine, and those that flags name for this server. */
export const machineAddresses = ({ flags, bind }: Pick<Settings, 'flags' | 'bind'>): readonly string[] => [
  ...Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address)),
  bind.host,
  flags.advertiseAddress,
];

/**
 * Address of this server for other machines: that of the flag, else the bound one, else the first address of the
 * machine, of the primary service family if there is one. Undefined when there is none, or endpoints are not
 * reconciled.
 */
export function advertisedAddress({ flags, bind, services }: Settings): string | undefined {
  if (flags.endpointReconciler === 'none') return undefined;
  if (flags.advertiseAddress !== '') return flags.advertiseAddress;
  if (leadsElsewhere(bind.host)) return bind.host;
  const addresses = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal, address }) => !internal && leadsElsewhere(address))
    .map(({ address }) => address);
  const main = services.addresses[0]?.family === 'IPv6' ? 6 : 4;
  return addresses.find((address) => isIP(address) === main) ?? addresses[0];
}
