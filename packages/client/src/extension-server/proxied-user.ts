import type { ProxyTrust } from './proxy-trust.ts';
import type { RequestUser } from './request-user.ts';

/** A connection, as TLS has verified it with the authorities of the trust. */
export interface VerifiedConnection {
  /** Whether the client certificate is valid and signed by one of the authorities. */
  readonly isAuthorized: boolean;
  /** Common name of the client certificate. */
  readonly commonName: string | undefined;
}

/**
 * The user of a request from the proxy; undefined for requests from other clients, regardless of their header fields.
 * `rawHeaders` are names and values in turn, as in Node.
 */
export function proxiedUser(
  trust: ProxyTrust,
  { isAuthorized, commonName }: VerifiedConnection,
  rawHeaders: readonly string[],
): RequestUser | undefined {
  if (!isAuthorized || commonName === undefined || commonName === '') return undefined;
  if (trust.allowedNames.length > 0 && !trust.allowedNames.includes(commonName)) return undefined;
  const fields = fieldsOf(rawHeaders);
  const named = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) =>
      fields.filter((field) => field.name === name.toLowerCase()).map(({ value }) => value),
    );
  const [name] = named(trust.usernameHeaders).filter((value) => value !== '');
  if (name === undefined) return undefined;
  return {
    name,
    uid: named(trust.uidHeaders)[0] ?? '',
    groups: named(trust.groupHeaders),
    extra: extraOf(fields, trust.extraHeaderPrefixes),
  };
}

interface Field {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/** Fields are bytes, which the proxy sends as UTF-8; Node decodes them as Latin-1. */
function fieldsOf(rawHeaders: readonly string[]): readonly Field[] {
  const fields: Field[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    fields.push({ name: name.toLowerCase(), value: Buffer.from(value, 'latin1').toString() });
  }
  return fields;
}

function extraOf(fields: readonly Field[], prefixes: readonly string[]): RequestUser['extra'] {
  const extra = new Map<string, string[]>();
  for (const { name, value } of fields) {
    const prefix = prefixes.find((one) => name.startsWith(one.toLowerCase()));
    if (prefix === undefined) continue;
    const key = decoded(name.slice(prefix.length));
    extra.set(key, [...(extra.get(key) ?? []), value]);
  }
  return Object.fromEntries(extra);
}

/** Keys are percent-encoded; invalid encodings are kept unchanged. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
