import { X509Certificate } from 'node:crypto';
import { messageOf } from '@orch/machinery';
import type { ConfigValue } from '@orch/machinery/yaml';
import type { IssuerConfiguration } from './configuration.ts';

interface Others {
  readonly before: readonly IssuerConfiguration[];
  readonly ownIssuers: readonly string[];
}

/** Reads `issuer` of an entry; no two entries have the same URLs. */
export function readIssuer(value: ConfigValue, others: Others): Omit<IssuerConfiguration, 'rules'> {
  const field = value.object([
    'url',
    'discoveryURL',
    'certificateAuthority',
    'audiences',
    'audienceMatchPolicy',
  ]);
  const url = readUrl(field('url'));
  if (others.before.some((one) => one.url === url)) field('url').fail(`${JSON.stringify(url)} is repeated`);
  if (others.ownIssuers.includes(url))
    field('url').fail(`${JSON.stringify(url)} is the issuer of service account tokens`);
  return {
    url,
    discoveryUrl: readDiscoveryUrl(field('discoveryURL'), url, others),
    certificateAuthority: readAuthority(field('certificateAuthority')),
    audiences: readAudiences(field('audiences'), field('audienceMatchPolicy')),
  };
}

function readUrl(value: ConfigValue): string {
  const text = value.text();
  if (text === '') value.fail('a URL is required');
  const url = URL.canParse(text) ? new URL(text) : value.fail(`${JSON.stringify(text)} is not a URL`);
  if (url.protocol !== 'https:') value.fail('the scheme must be https');
  if (url.username !== '' || url.password !== '') value.fail('must not contain a user name or a password');
  if (url.search !== '' || text.includes('?')) value.fail('must not contain a query');
  if (url.hash !== '' || text.includes('#')) value.fail('must not contain a fragment');
  return text;
}

function readDiscoveryUrl(value: ConfigValue, issuer: string, { before }: Others): string | undefined {
  if (value.text() === '') return undefined;
  const url = readUrl(value);
  if (withoutSlash(url) === withoutSlash(issuer)) value.fail('must differ from url');
  if (before.some(({ discoveryUrl }) => discoveryUrl === url))
    value.fail(`${JSON.stringify(url)} is repeated`);
  return url;
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** TLS ignores certificates that it cannot read, so invalid ones are errors here. */
function readAuthority(value: ConfigValue): string | undefined {
  const text = value.text();
  if (text === '') return undefined;
  const certificates = text.match(block) ?? [];
  if (certificates.length === 0) value.fail('it contains no certificate');
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      value.fail(messageOf(error));
    }
  }
  return certificates.join('\n');
}

const MATCH_ANY = 'MatchAny';

function readAudiences(value: ConfigValue, policy: ConfigValue): readonly string[] {
  const audiences = value.texts();
  if (audiences.length === 0) value.fail('at least one audience is required');
  for (const [at, audience] of audiences.entries()) {
    if (audience === '') value.list()[at]?.fail('must not be empty');
    if (audiences.indexOf(audience) < at) value.list()[at]?.fail(`${JSON.stringify(audience)} is repeated`);
  }
  const match = policy.text();
  if (match !== '' && match !== MATCH_ANY) policy.fail(`must be ${MATCH_ANY}`);
  if (match === '' && audiences.length > 1)
    policy.fail(`must be ${MATCH_ANY} when there are several audiences`);
  return audiences;
}
