import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Settings } from './settings.ts';

/** An address that leads other machines somewhere. */
const leadsElsewhere = (address: string): boolean =>
  !['0.0.0.0', '::', '::1'].includes(address) &&
  !address.startsWith('127.') &&
  !/^(?:169\.254\.|fe[89ab])/i.test(address);

/**
 * Where other machines reach this server: what the operator says, else what it is bound to, else the first address of the
 * machine, in the main family of services where there is one. Undefined when there is none, or nobody is to be told.
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
