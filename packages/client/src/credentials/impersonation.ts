import { combinedCredentials } from './combined.ts';
import type { Credentials, Identity } from './types.ts';

/** In whose name requests are made; the server asks whether that is allowed. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: ReadonlyMap<string, readonly string[]>;
}

/** Requests of the one whom `inner` identifies, made in the name of another. */
export function impersonatingCredentials(inner: Credentials, impersonation: Impersonation): Credentials {
  const headers = impersonationHeaders(impersonation);
  return combinedCredentials([inner], ([own]) => ({ ...own, headers: { ...own?.headers, ...headers } }));
}

/** What no header can carry: control characters, and blanks around it, which are not part of a value. */
export const isImpersonable = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  text !== '' && !/[\x00-\x1f\x7f]|^\s|\s$/.test(text);

export function impersonationHeaders({ user, uid, groups, extra }: Impersonation): Identity['headers'] {
  const headers = new Map<string, string | readonly string[]>([['impersonate-user', bytesOf(user)]]);
  if (uid !== undefined) headers.set('impersonate-uid', bytesOf(uid));
  if (groups !== undefined && groups.length > 0) headers.set('impersonate-group', groups.map(bytesOf));
  for (const [name, values] of extra ?? []) {
    if (values.length === 0) continue;
    const header = `impersonate-extra-${headerName(name)}`;
    // Names that differ in case only are one for the server.
    headers.set(header, [...(headers.get(header) ?? []), ...values.map(bytesOf)]);
  }
  return Object.fromEntries(headers);
}

/** Values are sent byte by byte, and servers read them as UTF-8. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/** In lower case; what no header name can have is percent-encoded as UTF-8, and so is the percent sign. */
const headerName = (name: string): string =>
  Buffer.from(name.toLowerCase())
    .toString('latin1')
    .replace(/[^!#$&'*+\-.^_`|~0-9a-z]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
