import { type IpRange, parseIpRange } from '@orch/machinery/net';
import { UsageError } from '@orch/program';
import { compilePattern, type Pattern } from '@orch/schema';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { cipherList } from '../flags/cipher-suites.ts';

/** A certificate that is selected by server name (SNI). */
export interface NamedCertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Server names; those of the certificate when empty. */
  readonly names: readonly string[];
}

/** The checked flags about TLS and browsers. */
export interface ServingSettings {
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
  /** In the syntax of OpenSSL; undefined for the default ones. */
  readonly ciphers: string | undefined;
  readonly named: readonly NamedCertificateFiles[];
  /** Patterns of origins that browsers may trust. */
  readonly origins: readonly Pattern[];
  /** Value of the header; undefined without one. */
  readonly strictTransportSecurity: string | undefined;
  /** Addresses of balancers that use the PROXY protocol. */
  readonly proxies: readonly IpRange[];
}

type Flags = Pick<
  ApiServerFlags,
  | 'tlsMinVersion'
  | 'tlsCipherSuites'
  | 'tlsSniCertKey'
  | 'corsAllowedOrigins'
  | 'strictTransportSecurity'
  | 'externalHostname'
  | 'proxyProtocolFrom'
>;

/** Checks the flags. Throws `UsageError`. */
export function servingSettings(flags: Flags): ServingSettings {
  const list = cipherList(flags.tlsCipherSuites);
  if (typeof list === 'string') throw bad('tls-cipher-suites', flags.tlsCipherSuites.join(','), list);
  if (
    flags.externalHostname !== '' &&
    !/^[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/.test(flags.externalHostname)
  )
    throw bad('external-hostname', flags.externalHostname, 'must be a host name, with or without a port');
  return {
    proxies: flags.proxyProtocolFrom.map(proxyRange),
    minVersion: flags.tlsMinVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2',
    ciphers: list?.ciphers,
    named: flags.tlsSniCertKey.map(readNamed),
    origins: flags.corsAllowedOrigins.map(readOrigin),
    strictTransportSecurity: readDirectives(flags.strictTransportSecurity),
  };
}

const bad = (flag: string, value: string, problem: string): UsageError =>
  new UsageError(`invalid value ${JSON.stringify(value)} for --${flag}: ${problem}`);

function readNamed(text: string): NamedCertificateFiles {
  const [files = '', names = ''] = text.split(':', 2);
  const [certFile = '', keyFile = '', ...rest] = files.split(',').map((path) => path.trim());
  if (certFile === '' || keyFile === '' || rest.length > 0)
    throw bad('tls-sni-cert-key', text, 'must be CERT,KEY or CERT,KEY:NAME,NAME');
  return {
    certFile,
    keyFile,
    names: names
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  };
}

function readOrigin(text: string): Pattern {
  const pattern = compilePattern(text);
  if (typeof pattern === 'string') throw bad('cors-allowed-origins', text, pattern);
  return pattern;
}

function readDirectives(directives: readonly string[]): string | undefined {
  for (const directive of directives)
    if (!/^(max-age=\d{1,10}|includeSubDomains|preload)$/.test(directive))
      throw bad(
        'strict-transport-security-directives',
        directive,
        'must be max-age=SECONDS, includeSubDomains or preload',
      );
  if (directives.length > 0 && !directives.some((directive) => directive.startsWith('max-age=')))
    throw bad('strict-transport-security-directives', directives.join(','), 'must contain max-age=SECONDS');
  return directives.length === 0 ? undefined : directives.join('; ');
}

/** An address without a prefix is the range of itself. */
function proxyRange(text: string): IpRange {
  const range = parseIpRange(text) ?? parseIpRange(`${text}/${text.includes(':') ? 128 : 32}`);
  if (range === undefined)
    throw bad(
      'proxy-protocol-from',
      text,
      'must be addresses or ranges such as 10.9.8.0/24 or 2001:db8::/64',
    );
  return range;
}
