import { X509Certificate } from 'node:crypto';
import { asStrings } from '@orch/machinery/json';
import type { ConfigData } from './system-config-map.ts';

/** The authentication settings of this server, for extension API servers behind it. */
export interface ClusterAuthenticationInfo {
  /** Certificate authorities of this server for client certificates, one PEM certificate each. */
  readonly clients: readonly string[];
  /** Authorities that servers of the cluster have generated for client certificates; none when absent. */
  readonly generatedClients?: GeneratedAuthorities;
  /** Authentication by a front proxy; undefined when there is none. */
  readonly proxies: FrontProxies | undefined;
  /** Authorities that servers of the cluster have generated for themselves as proxies; none when absent. */
  readonly generatedProxies?: GeneratedAuthorities;
}

/** The front proxies that extension API servers trust, and the header fields in which they name users. */
export interface FrontProxies {
  readonly authorities: readonly string[];
  readonly usernameHeaders: readonly string[];
  /** Empty where the uid is not sent. */
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
  readonly allowedNames: readonly string[];
  /** Whether this server has generated the authority for itself; otherwise an operator has given it. */
  readonly isGenerated: boolean;
}

/** PEM certificates of all servers of the cluster. */
export interface GeneratedAuthorities {
  readonly current: readonly string[];
  /** Authorities of servers that stopped long ago. */
  readonly expired: readonly string[];
}

/** Maximum number of certificates from the flags of other replicas; those of this server are always included. */
const MAX_CERTIFICATES = 100;
const CERTIFICATE_PATTERN = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const CLIENTS = 'client-ca-file';
const UIDS = 'requestheader-uid-headers';
const PROXIES = 'requestheader-client-ca-file';

/** Merges the configuration of this server into the stored data; unrelated keys are kept. */
export function merged(data: ConfigData, info: ClusterAuthenticationInfo, now: number): ConfigData {
  const { generatedClients } = info;
  const given = withoutGenerated(certificatesIn(data[CLIENTS], now), generatedClients);
  const clients = bundle(given, [...(generatedClients?.current ?? []), ...info.clients]);
  return { ...data, ...(clients === '' ? {} : { [CLIENTS]: clients }), ...mergedProxies(data, info, now) };
}

/**
 * Reports whether the data has the authority of a front proxy that an operator gave to another server, while this server has generated
 * its own: then its own is not published. Header fields of the one would otherwise be trusted from the other, which does
 * not remove them from requests of its clients.
 */
export const isProxyRefused = (data: ConfigData, info: ClusterAuthenticationInfo, now: number): boolean =>
  info.proxies?.isGenerated === true && givenAuthorities(data, info, now).length > 0;

function mergedProxies(data: ConfigData, info: ClusterAuthenticationInfo, now: number): ConfigData {
  const { proxies, generatedProxies } = info;
  if (proxies === undefined) return {};
  const given = givenAuthorities(data, info, now);
  if (proxies.isGenerated) {
    // Every server that generates its authority publishes the same header fields.
    if (given.length > 0) return { [PROXIES]: bundle(given, []) };
    return {
      [PROXIES]: all([...(generatedProxies?.current ?? []), ...proxies.authorities]),
      ...lists({}, proxies),
      ...uidList(data, [], proxies),
    };
  }
  // The fields of generated proxies are replaced with their authorities.
  const isReplaced = certificatesIn(data[PROXIES], now).length > given.length;
  return {
    [PROXIES]: bundle(given, proxies.authorities),
    ...lists(isReplaced ? {} : data, proxies),
    ...uidList(data, isReplaced ? [] : listOf(data[UIDS]), proxies),
  };
}

/** The stored authorities of front proxies, without those that servers have generated for themselves. */
function givenAuthorities(
  data: ConfigData,
  { generatedProxies, proxies }: ClusterAuthenticationInfo,
  now: number,
): readonly string[] {
  const own = proxies?.isGenerated === true ? proxies.authorities : [];
  return withoutGenerated(certificatesIn(data[PROXIES], now), generatedProxies, own);
}

/** The certificates that no server has generated for itself. */
function withoutGenerated(
  certificates: readonly string[],
  { current, expired }: GeneratedAuthorities = noAuthorities,
  own: readonly string[] = [],
): readonly string[] {
  const generated = new Set(trimmed([...current, ...expired, ...own]));
  return certificates.filter((pem) => !generated.has(pem));
}

const noAuthorities: GeneratedAuthorities = { current: [], expired: [] };

function lists(data: ConfigData, proxies: FrontProxies): ConfigData {
  const list = (key: string, ours: readonly string[]): ConfigData => ({
    [key]: JSON.stringify([...new Set([...listOf(data[key]), ...ours])]),
  });
  return {
    ...list('requestheader-username-headers', proxies.usernameHeaders),
    ...list('requestheader-group-headers', proxies.groupHeaders),
    ...list('requestheader-extra-headers-prefix', proxies.extraHeaderPrefixes),
    ...list('requestheader-allowed-names', proxies.allowedNames),
  };
}

/**
 * The fields of uids: absent when no server has ever named one, and otherwise possibly an empty list, so that a field that proxies no
 * longer set or remove is not trusted.
 */
function uidList(data: ConfigData, others: readonly string[], { uidHeaders }: FrontProxies): ConfigData {
  const fields = [...new Set([...others, ...uidHeaders])];
  return fields.length === 0 && data[UIDS] === undefined ? {} : { [UIDS]: JSON.stringify(fields) };
}

/** Our certificates, and those of others up to the limit. */
function bundle(others: readonly string[], ours: readonly string[]): string {
  const own = trimmed(ours);
  return all([...others.filter((pem) => !own.includes(pem)).slice(0, MAX_CERTIFICATES), ...own]);
}

/** Each once, in an order that does not depend on the server. */
function all(certificates: readonly string[]): string {
  const sorted = [...new Set(trimmed(certificates))].sort();
  return sorted.length === 0 ? '' : `${sorted.join('\n')}\n`;
}

const trimmed = (certificates: readonly string[]): readonly string[] => certificates.map((pem) => pem.trim());

/** The valid certificates in a string, each once. */
const certificatesIn = (text: string | undefined, now: number): readonly string[] =>
  [...new Set((text ?? '').match(CERTIFICATE_PATTERN))].filter((pem) => isValid(pem, now));

/** False for certificates that cannot be decoded or have expired. */
function isValid(pem: string, now: number): boolean {
  try {
    return Date.parse(new X509Certificate(pem).validTo) > now;
  } catch {
    return false;
  }
}

function listOf(text: string | undefined): readonly string[] {
  try {
    return asStrings(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}
