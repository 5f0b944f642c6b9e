import type { HostAlias, PodDNSConfig, PodSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import type { Check, CheckContext } from '@orch/schema';
import { addressFormatIn } from '../../../../address-formats.ts';
import { checkFormat } from '../../../../validation-rules.ts';

const MAX_NAMESERVERS = 3;
/** Limits of search domains before 1.26, and since. */
const earlierSearches = { count: 6, characters: 256 };
const laterSearches = { count: 32, characters: 2048 };

/** Limits of resolvers. */
export const checkDnsConfig: Check<PodDNSConfig> = (config, { path, since }) => {
  const errors: FieldError[] = [];
  const nameservers = config.nameservers ?? [];
  if (nameservers.length > MAX_NAMESERVERS) {
    errors.push(
      fieldError.invalid(
        `${path}.nameservers`,
        nameservers,
        `must not have more than ${MAX_NAMESERVERS} nameservers`,
      ),
    );
  }
  const searches = config.searches ?? [];
  const { count, characters } = since('1.26') ? laterSearches : earlierSearches;
  if (searches.length > count) {
    const why = `must not have more than ${count} search paths`;
    errors.push(fieldError.invalid(`${path}.searches`, searches, why));
  }
  if (searches.join(' ').length > characters) {
    const why = `must not have more than ${characters} characters (including spaces) in the search list`;
    errors.push(fieldError.invalid(`${path}.searches`, searches, why));
  }
  const isRelaxed = since('1.33', 'RelaxedDNSSearchValidation');
  searches.forEach((search, i) => {
    errors.push(...checkSearch(`${path}.searches[${i}]`, search, isRelaxed));
  });
  (config.options ?? []).forEach((option, i) => {
    if ((option.name ?? '') === '')
      errors.push(fieldError.required(`${path}.options[${i}]`, 'must not be empty'));
  });
  return errors;
};

const MAX_DOMAIN = 253;
const labelWithUnderscores = /^_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;

/** A trailing dot only marks a search domain as fully qualified; later releases permit underscores, and the root. */
function checkSearch(path: string, search: string, isRelaxed: boolean): readonly FieldError[] {
  const domain = search.replace(/\.$/, '');
  if (!isRelaxed) return checkFormat('dns1123subdomain', path, domain);
  const isValid =
    search === '.' ||
    (domain.length <= MAX_DOMAIN && domain.split('.').every((label) => labelWithUnderscores.test(label)));
  return isValid
    ? []
    : [fieldError.invalid(path, domain, 'must be a domain; its parts may have underscores')];
}

/** The controller names the pods of a StatefulSet, so the host name of its template is not validated. */
export const checkHostnames = (path: string, spec: PodSpec, root: JsonObject): readonly FieldError[] =>
  root['kind'] === 'StatefulSet'
    ? []
    : (['hostname', 'subdomain'] as const).flatMap((field) =>
        (spec[field] ?? '') === '' ? [] : checkFormat('dns1123label', `${path}.${field}`, spec[field] ?? ''),
      );

/** With the policy `None`, the pod itself must specify its name servers. */
export function checkDnsPolicy(path: string, spec: PodSpec): readonly FieldError[] {
  if (spec.dnsPolicy !== 'None') return [];
  const config = spec.dnsConfig;
  if (config === undefined) {
    return [fieldError.required(`${path}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  }
  if ((config?.nameservers ?? []).length > 0) return [];
  const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
  return [fieldError.required(`${path}.dnsConfig.nameservers`, why)];
}

/** Checks the lines of a hosts file. Before 1.30, errors name the list. */
export const checkHostAliases = (
  { path, since }: Pick<CheckContext, 'path' | 'since'>,
  aliases: readonly HostAlias[],
): readonly FieldError[] => {
  const hasIndexes = since('1.30');
  const format = addressFormatIn(since);
  const errors: FieldError[] = [];
  for (const [i, { ip = '', hostnames = [] }] of aliases.entries()) {
    const at = `${path}.hostAliases${hasIndexes ? `[${i}]` : ''}`;
    errors.push(...checkFormat(format, `${at}.ip`, ip));
    for (const [j, name] of hostnames.entries())
      errors.push(...checkFormat('dns1123subdomain', `${at}.hostnames${hasIndexes ? `[${j}]` : ''}`, name));
  }
  return errors;
};

const MAX_HOSTNAME = 64;

/** Checks the host name that takes precedence over every other rule; the node and a qualified name exclude it. */
export function checkHostnameOverride(path: string, spec: PodSpec): readonly FieldError[] {
  const { hostnameOverride: name } = spec;
  if (name === undefined) return [];
  const at = `${path}.hostnameOverride`;
  return [
    ...(['setHostnameAsFQDN', 'hostNetwork'] as const)
      .filter((field) => spec[field] === true)
      .map((field) => fieldError.forbidden(at, `may not be specified when ${field} is true`)),
    ...(Buffer.byteLength(name) > MAX_HOSTNAME ? [fieldError.tooLong(at, MAX_HOSTNAME)] : []),
    ...checkFormat('dns1123subdomain', at, name),
  ];
}
