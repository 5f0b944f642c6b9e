import type { Env } from '@orch/machinery';
import type { IssuerConfiguration } from '../authentication-config/configuration.ts';
import { Provider } from './provider.ts';
import { readJsonOverTls } from './read-json.ts';
import type { TokenIssuerSettings } from './token-issuers.ts';

/** All algorithms with asymmetric keys. */
const algorithms = ['RS', 'ES', 'PS'].flatMap((family) => ['256', '384', '512'].map((bits) => family + bits));

/** The issuer of a configuration; its keys are read when the first token has to be verified. */
export function configuredIssuer(
  configuration: IssuerConfiguration,
  { clock, log }: Pick<Env, 'clock' | 'log'>,
): TokenIssuerSettings {
  const { url, discoveryUrl, certificateAuthority, audiences, rules } = configuration;
  const read = readJsonOverTls(certificateAuthority, clock);
  return {
    url,
    provider: new Provider({ issuer: url, discoveryUrl, read, clock, log }),
    audiences,
    algorithms,
    rules,
  };
}
