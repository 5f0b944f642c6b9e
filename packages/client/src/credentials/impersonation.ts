import { combinedCredentials } from './combined.ts';
import type { Credentials, Identity } from './types.ts';

/** The user to impersonate, if the server permits it. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: ReadonlyMap<string, readonly string[]>;
}

/** The credentials `inner` with impersonation of another user. */
export function impersonatingCredentials(inner: Credentials, impersonation: Impersonation): Credentials {
  const headers = impersonationHeaders(impersonation);
  return combinedCredentials([inner], ([own]) => ({ ...own, headers: { ...own?.headers, ...headers } }));
}

/** Invalid in headers: control characters, and leading and trailing blanks. */
export const isImpersonable = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for.
  text !== '' && !/[\x00-\x1f\x7f]|^\s|\s$/.test(text);

function impersonationHeaders({ user, uid, groups, extra }: Impersonation): Identity['headers'] {
  const headers = new Map<string, string | readonly string[]>([['impersonate-user', bytesOf(user)]]);
  if (uid !== undefined) headers.set('impersonate-uid', bytesOf(uid));
  if (groups !== undefined && groups.length > 0) headers.set('impersonate-group', groups.map(bytesOf));
  for (const [name, values] of extra ?? []) {
    if (values.length === 0) continue;
    const header = `impersonate-extra-${headerName(name)}`;
    // Servers treat names that differ in case only as equal.
    headers.set(header, [...(headers.get(header) ?? []), ...values.map(bytesOf)]);
  }
  return Object.fromEntries(headers);
}

/** Values are sent as bytes, which servers decode as UTF-8. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/** In lower case; characters that are invalid in header names, and percent signs, are percent-encoded as UTF-8. */
const headerName = (name: string): string =>
  Buffer.from(name.toLowerCase())
    .toString('latin1')
    .replace(/[^!#$&'*+\-.^_`|~0-9a-z]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
