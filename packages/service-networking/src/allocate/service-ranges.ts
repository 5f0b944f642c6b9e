import { type AddressRange, addressRange, BadRange, type PortRange, portRange } from './value-range.ts';

/** Ranges for addresses and node ports of services. */
export interface ServiceRanges {
  /** One or two, of different families; the primary one first. */
  readonly addresses: readonly AddressRange[];
  readonly ports: PortRange;
}

export const DEFAULT_ADDRESS_RANGE = '10.0.0.0/24';
export const DEFAULT_PORT_RANGE = '30000-32767';

/** Reads `10.0.0.0/16,fd00::/112`: one range, or two of different families. Throws `BadRange`. */
export function addressRanges(text: string): readonly AddressRange[] {
  const ranges = text.split(',').map((one) => addressRange(one.trim()));
  const families = new Set(ranges.map(({ family }) => family));
  if (ranges.length > 2) throw new BadRange('must be one or two ranges such as 10.0.0.0/16');
  if (families.size < ranges.length) throw new BadRange('two ranges must be one of IPv4 and one of IPv6');
  return ranges;
}

export const defaultServiceRanges = (): ServiceRanges => ({
  addresses: addressRanges(DEFAULT_ADDRESS_RANGE),
  ports: portRange(DEFAULT_PORT_RANGE),
});
