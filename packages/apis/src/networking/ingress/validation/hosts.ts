import { dns1123subdomain, type FieldError, fieldError, ip, wildcardSubdomain } from '@orch/machinery';

/** The name of a host, or a pattern for names with one label more. */
export function checkHost(path: string, host: string): readonly FieldError[] {
  const wrong = host.includes('*') ? wildcardSubdomain(host) : dns1123subdomain(host);
  return wrong === undefined ? [] : [fieldError.invalid(path, host, wrong)];
}

/** As `checkHost`, where addresses, which could be names as well, are refused. */
export const checkRuleHost = (path: string, host: string): readonly FieldError[] =>
  ip(host) === undefined
    ? [fieldError.invalid(path, host, 'must be a DNS name, not an IP address')]
    : checkHost(path, host);
