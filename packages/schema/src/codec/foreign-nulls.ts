import { isExactNumber, isJsonObject } from '@orch/machinery/json';

/**
 * The stored value with `null` only where decoding results in `null`: other nulls, which only other programs store, are replaced
 * by the decoded values, and left out where those are absent. Fields that the schema does not have are kept.
 */
export function withoutForeignNulls(stored: unknown, decoded: unknown): unknown {
  if (stored === null) return decoded;
  if (Array.isArray(stored)) {
    if (!Array.isArray(decoded)) return stored;
    return stored.map((item, index) => withoutForeignNulls(item, decoded[index]));
  }
  if (!isJsonObject(stored) || !isJsonObject(decoded) || isExactNumber(stored)) return stored;
  return Object.fromEntries(
    Object.entries(stored)
      .map(([name, value]) => [name, withoutForeignNulls(value, decoded[name])] as const)
      .filter(([, value]) => value !== undefined),
  );
}
