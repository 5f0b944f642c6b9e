import {
  type Authenticator,
  type Authorizer,
  alwaysAllow,
  alwaysDeny,
  clientCertificateAuthenticator,
  firstOpinion,
  readTokenFile,
  TokenFileError,
  tokenFileAuthenticator,
  unionAuthenticator,
} from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import type { ApiServerFlags } from './api-server-flags.ts';
import { StartError } from './failure.ts';
import { readFlagFile } from './read-file.ts';

const hour = 3600;
const day = 24 * hour;
const remainingBuckets = [
  0,
  hour / 2,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  4 * day,
  7 * day,
  30 * day,
  90 * day,
  180 * day,
  360 * day,
];

/** Who may call: client certificates always, tokens when there is a file with them. */
export function authenticatorOf(
  flags: Pick<ApiServerFlags, 'tokenAuthFile'>,
  env: Env,
  names: Names,
): Authenticator {
  const implicitGroup = names.userGroups.authenticated;
  const remaining = env.metrics
    .histogram({
      name: 'apiserver_client_certificate_expiration_seconds',
      help: 'Time that client certificates are still valid, at their first use on a connection.',
      buckets: remainingBuckets,
      stability: 'ALPHA',
    })
    .series();
  const certificates = clientCertificateAuthenticator({
    now: () => env.clock.now(),
    implicitGroup,
    observeRemaining: (seconds) => remaining.observe(seconds),
  });
  if (flags.tokenAuthFile === '') return certificates;
  try {
    const users = readTokenFile(readFlagFile('token-auth-file', flags.tokenAuthFile), implicitGroup);
    return unionAuthenticator([certificates, tokenFileAuthenticator(users)]);
  } catch (error) {
    if (!(error instanceof TokenFileError)) throw error;
    throw new StartError(`--token-auth-file ${flags.tokenAuthFile}: ${error.message}`);
  }
}

const authorizers = { AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny } as const;

/** Who decides, in the order of `--authorization-mode`. */
export const authorizerOf = (flags: Pick<ApiServerFlags, 'authorizationModes'>): Authorizer =>
  firstOpinion(flags.authorizationModes.map((mode) => authorizers[mode]));
