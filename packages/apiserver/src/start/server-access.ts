import { type ObjectSource, unionAuthenticator, withServerAudiences } from '@orch/auth';
import type { Access } from '@orch/registry';
import { authenticatorOf } from '../authentication/authentication.ts';
import { authorizationOf } from '../authorization/authorization.ts';
import type { ClusterTokens } from '../tokens/cluster-tokens.ts';
import type { Opened } from './open.ts';
import type { StartContext } from './start-context.ts';

export interface ServerAccessParts {
  readonly tokens: ClusterTokens;
  /** The objects of the cluster. */
  readonly source: ObjectSource;
}

/** The authenticator and the authorizer of a server. */
export function serverAccess(
  { settings, host: { env } }: StartContext,
  { tracing, methods, loopback, reloads, configured }: Opened,
  { tokens, source }: ServerAccessParts,
): Access {
  const { flags, names } = settings;
  const { isUnrestricted, ...authorization } = authorizationOf(flags, {
    source,
    names,
    env,
    tracing,
    reloads,
  });
  const ofFlags = authenticatorOf(
    flags,
    { ...methods, ...tokens.methods(source) },
    { env, names, anonymous: { configured: () => configured?.anonymous(), isUnrestricted } },
  );
  return {
    authenticator: withServerAudiences(
      loopback === undefined ? ofFlags : unionAuthenticator([loopback.authenticator, ofFlags]),
      settings.tokens.audiences,
    ),
    ...authorization,
  };
}
