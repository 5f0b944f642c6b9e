import { bits, oid, sequence } from './der-writer.ts';

/** The bits of the key usage extension (RFC 5280, 4.2.1.3). */
const keyUsages: Readonly<Record<string, number>> = {
  'digital signature': 0,
  signing: 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
};

/** The identifiers in the extension for extended usages (RFC 5280, 4.2.1.12, and two older ones). */
const extendedUsages: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

/** Key usages by their names in requests. */
export const keyUsageNames: readonly string[] = [
  ...Object.keys(keyUsages),
  ...Object.keys(extendedUsages),
].sort();

/** The value of the key usage extension; undefined when no usage belongs to it. */
export function encodeKeyUsage(usages: readonly string[]): Buffer | undefined {
  const set = usages.flatMap((usage) => (Object.hasOwn(keyUsages, usage) ? [keyUsages[usage] ?? 0] : []));
  if (set.length === 0) return undefined;
  const last = Math.max(...set);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of set) {
    const at = Math.floor(bit / 8);
    bytes[at] = (bytes[at] ?? 0) | (0x80 >> (bit % 8));
  }
  return bits(bytes, 7 - (last % 8));
}

/** The value of the extended key usage extension; undefined when no usage belongs to it. */
export function encodeExtendedKeyUsage(usages: readonly string[]): Buffer | undefined {
  const found = usages.flatMap((usage) =>
    Object.hasOwn(extendedUsages, usage) ? [extendedUsages[usage] ?? ''] : [],
  );
  return found.length === 0 ? undefined : sequence(...[...new Set(found)].map(oid));
}
