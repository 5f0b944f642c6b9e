/** Maximum length of a prefix. */
const MAX_PREFIX_BYTES = 512;

/**
 * The prefix of an encrypted value: `<marker><provider>:<version>:<key>:`, of which all have the `marker`. Undefined
 * for a value that is not encrypted. Nothing after the prefix is returned; of malformed values, less than the prefix.
 */
export function encryptionPrefixOf(value: Buffer, marker: string): string | undefined {
  // Most values are JSON or Protobuf, which begin differently.
  if (value[0] !== marker.charCodeAt(0) || value[3] !== marker.charCodeAt(3)) return undefined;
  if (value.toString('latin1', 0, marker.length) !== marker) return undefined;
  const head = value.toString('utf8', marker.length, Math.min(value.length, MAX_PREFIX_BYTES));
  return marker + (/^(?:[a-z]{1,16}:(?:v\d{1,3}:(?:[^:\s\p{C}]{1,253}:)?)?)?/u.exec(head)?.[0] ?? '');
}
