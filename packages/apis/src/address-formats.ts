import { ip } from '@orch/machinery/formats';
import type { CheckContext } from '@orch/schema';

/** From 1.36 on, addresses and ranges that programs read differently are refused. */
const strictAddresses = { since: '1.36', gate: 'StrictIPCIDRValidation' } as const;

/** The name of the format of addresses in a release. */
export const addressFormatIn = (since: CheckContext['since']): 'ip' | 'strictIp' =>
  since(strictAddresses.since, strictAddresses.gate) ? 'strictIp' : 'ip';

/** The name of the format of ranges of addresses in a release. */
export const rangeFormatIn = (since: CheckContext['since']): 'cidr' | 'strictCidr' =>
  since(strictAddresses.since, strictAddresses.gate) ? 'strictCidr' : 'cidr';

/** An IPv4 or IPv6 address. */
export const addressFormat = {
  format: 'ip',
  strictFormat: { ...strictAddresses, format: 'strictIp' },
} as const;

/** An address that is reachable from other hosts. */
export const reachableAddressFormat = {
  format: 'specialIp',
  strictFormat: { ...strictAddresses, format: 'strictSpecialIp' },
} as const;

/** An address with a prefix length. */
export const rangeFormat = {
  format: 'cidr',
  strictFormat: { ...strictAddresses, format: 'strictCidr' },
} as const;

const leadingZeros = /(^|\.)0+(?=\d)/g;

/** Reports whether a host name is an IP address. Leading zeros in its numbers are allowed. */
export const isAddressInDigits = (host: string): boolean =>
  ip(host.replace(leadingZeros, '$1')) === undefined;
