import { X509Certificate } from 'node:crypto';
import { headerValues, percentDecoded, utf8Text } from '../header-values.ts';
import { subjectNames } from '../subject.ts';
import type { Authentication, Authenticator, Credentials } from '../types.ts';
import type { TrustPool, Validity } from '../x509/trust-pool.ts';

/** The flags of the front proxy (access-control document, 5.8). */
export interface RequestHeaderOptions {
  /** Authorities of the certificates of proxies, and of nothing else. */
  readonly pool: TrustPool;
  /** Common names that proxies may have; empty for any. */
  readonly allowedNames: readonly string[];
  /** Names of fields, the first with a value counts. */
  readonly usernameHeaders: readonly string[];
  /** As those of the user name; empty when proxies send no uid. */
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly implicitGroup: string;
}

/** The certificate of a connection, if it is that of a proxy. */
interface Proxy extends Partial<Validity> {
  readonly generation: number;
  readonly problem?: string;
}

const none: Authentication = { kind: 'none' };
const rejected = (reason: string): Authentication => ({ kind: 'rejected', reason });

/**
 * Authenticates users by header fields of a front proxy, which must present a certificate of the authority for proxies
 * with an allowed name. Otherwise the fields are ignored. A repeated user name field is rejected: one of the two could
 * come from the client of the proxy.
 */
export function requestHeaderAuthenticator(options: RequestHeaderOptions): Authenticator {
  const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());
  const fields: Fields = {
    usernames: lower(options.usernameHeaders),
    uids: lower(options.uidHeaders),
    groups: lower(options.groupHeaders),
    extraPrefixes: lower(options.extraHeaderPrefixes),
    implicitGroup: options.implicitGroup,
  };
  const proxies = new WeakMap<object, Proxy>();
  return {
    authenticate(credentials) {
      const { clientCertificate, connection, headers } = credentials;
      if (clientCertificate === undefined) return none;
      if (!fields.usernames.some((name) => headers[name] !== undefined)) return none;
      let proxy = proxies.get(connection);
      if (proxy === undefined || proxy.generation !== options.pool.generation) {
        proxy = proxyOf(clientCertificate, options);
        proxies.set(connection, proxy);
      }
      const { notBefore, notAfter, problem } = proxy;
      if (notBefore === undefined || notAfter === undefined) return none;
      if (problem !== undefined) return rejected(problem);
      const now = options.now();
      if (now < notBefore || now > notAfter)
        return rejected('the certificate of the proxy has expired or is not yet valid');
      return userOf(credentials, fields);
    },
  };
}

function proxyOf(der: Buffer, { pool, allowedNames }: RequestHeaderOptions): Proxy {
  const certificate = new X509Certificate(der);
  const { generation } = pool;
  const validity = pool.validityOf(certificate, { isNew: false });
  if (validity === undefined) return { generation };
  const { commonName } = subjectNames(certificate);
  if (allowedNames.length === 0 || allowedNames.includes(commonName)) return { generation, ...validity };
  return {
    generation,
    ...validity,
    problem: `the common name ${JSON.stringify(commonName)} is not allowed for proxies`,
  };
}

interface Fields {
  readonly usernames: readonly string[];
  readonly uids: readonly string[];
  readonly groups: readonly string[];
  readonly extraPrefixes: readonly string[];
  readonly implicitGroup: string;
}

function userOf(credentials: Credentials, fields: Fields): Authentication {
  const names = firstValues(credentials, fields.usernames);
  if (names === undefined || names.length === 0)
    return rejected('the proxy sent no user name, or not in UTF-8');
  const [name = '', ...more] = names;
  if (more.length > 0) return rejected('the proxy sent more than one user name');
  const uids = firstValues(credentials, fields.uids);
  if (uids !== undefined && uids.length > 1) return rejected('the proxy sent more than one uid');
  const groups = fields.groups.map((field) => valuesOf(credentials, field));
  const extra = extraOf(credentials, fields.extraPrefixes);
  if (uids === undefined || extra === undefined || groups.includes(undefined))
    return rejected('the user information of the proxy is not in UTF-8');
  const all = [...groups.flatMap((values) => values ?? []), fields.implicitGroup];
  return { kind: 'user', user: { name, uid: uids[0] ?? '', groups: [...new Set(all)], extra } };
}

/** The values of the first field that has one; undefined when it cannot be read. */
function firstValues(credentials: Credentials, fields: readonly string[]): readonly string[] | undefined {
  for (const field of fields) {
    const values = valuesOf(credentials, field);
    if (values === undefined || values.length > 0) return values;
  }
  return [];
}

/** The values that are not empty; undefined when one cannot be read. */
function valuesOf(credentials: Credentials, field: string): readonly string[] | undefined {
  const values: string[] = [];
  for (const value of headerValues(credentials, field)) {
    const text = utf8Text(value);
    if (text === undefined) return undefined;
    if (text !== '') values.push(text);
  }
  return values;
}

function extraOf(
  credentials: Credentials,
  prefixes: readonly string[],
): Readonly<Record<string, readonly string[]>> | undefined {
  const extra = new Map<string, readonly string[]>();
  for (const field of Object.keys(credentials.headers)) {
    const prefix = prefixes.find((one) => field.startsWith(one));
    if (prefix === undefined) continue;
    const values = valuesOf(credentials, field);
    if (values === undefined) return undefined;
    const key = percentDecoded(field.slice(prefix.length));
    extra.set(key, [...(extra.get(key) ?? []), ...values]);
  }
  return Object.fromEntries(extra);
}
