import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import type { HostAlias, PodDNSConfig, PodSpec } from '../../../../types/core.ts';
import { checkFormat } from '../../../../validation-rules.ts';

const maxNameservers = 3;
const maxSearches = 6;
const maxSearchChars = 256;

/** Limits that resolvers have. */
export const checkDnsConfig: Check<PodDNSConfig> = (config, { path }) => {
  const errors: FieldError[] = [];
  const nameservers = config.nameservers ?? [];
  if (nameservers.length > maxNameservers) {
    errors.push(
      fieldError.invalid(
        `${path}.nameservers`,
        nameservers,
        `must not have more than ${maxNameservers} nameservers`,
      ),
    );
  }
  const searches = config.searches ?? [];
  if (searches.length > maxSearches) {
    errors.push(
      fieldError.invalid(`${path}.searches`, searches, `must not have more than ${maxSearches} search paths`),
    );
  }
  if (searches.join(' ').length > maxSearchChars) {
    const why = `must not have more than ${maxSearchChars} characters (including spaces) in the search list`;
    errors.push(fieldError.invalid(`${path}.searches`, searches, why));
  }
  searches.forEach((search, i) => {
    // A trailing dot only says that the name is complete.
    errors.push(...checkFormat('dns1123subdomain', `${path}.searches[${i}]`, search.replace(/\.$/, '')));
  });
  (config.options ?? []).forEach((option, i) => {
    if ((option.name ?? '') === '')
      errors.push(fieldError.required(`${path}.options[${i}]`, 'must not be empty'));
  });
  return errors;
};

/** Without a policy, the pod itself says where names are looked up. */
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

/** Lines of a hosts file; errors name the list. */
export const checkHostAliases = (path: string, aliases: readonly HostAlias[]): readonly FieldError[] =>
  aliases.flatMap((alias) => [
    ...checkFormat('ip', `${path}.ip`, alias.ip ?? ''),
    ...(alias.hostnames ?? []).flatMap((name) => checkFormat('dns1123subdomain', `${path}.hostnames`, name)),
  ]);
