import {
  type AnonymousConfiguration,
  type Authenticator,
  configuredIssuer,
  currentAuthenticator,
  type IssuerConfiguration,
  readAuthenticationConfiguration,
  tokenIssuersAuthenticator,
} from '@orch/auth';
import type { OidcClient } from '@orch/client/login';
import type { Env, Names } from '@orch/machinery';
import { ConfigFileError } from '@orch/machinery/yaml';
import { type GivenFlags, isGiven, StartError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { asStartError } from '../reload/as-start-error.ts';
import { configurationMetrics } from '../reload/reload-metrics.ts';
import { type FileFlag, ReloadedFiles } from '../reload/reloaded-files.ts';
import type { Reloads } from '../reload/reloads.ts';

/** The authenticators of `--authentication-config`, as its file changes. */
export interface ConfiguredAuthentication {
  /** Accepts the tokens of the issuers. */
  readonly issuers: Authenticator;
  /** Undefined while the file does not contain it. */
  readonly anonymous: () => AnonymousConfiguration | undefined;
  /** The client of the first issuer at which users can log in with a browser; undefined without one. */
  readonly loginClient: () => OidcClient | undefined;
}

interface Parts {
  readonly env: Env;
  readonly names: Names;
  /** Key of the credential ids of users with ID tokens; undefined in releases without them. */
  readonly credentialIdKey?: string | undefined;
  /** Issuers of service account tokens. */
  readonly ownIssuers: readonly string[];
  /** Collects the files that are reloaded. */
  readonly reloads: Reloads;
}

interface Content {
  readonly issuers: Authenticator;
  readonly anonymous: AnonymousConfiguration | undefined;
  readonly loginClient: OidcClient | undefined;
}

/** Undefined without the flag. Throws a `StartError` for an invalid file. */
export function configuredAuthentication(
  flags: Pick<ApiServerFlags, 'authenticationConfig'> & GivenFlags,
  parts: Parts,
): ConfiguredAuthentication | undefined {
  const file: FileFlag = { flag: 'authentication-config', path: flags.authenticationConfig };
  if (file.path === '') return undefined;
  const title = 'the authentication configuration';
  const { env } = parts;
  const configuration = parts.reloads.add(
    new ReloadedFiles<Content>({
      title,
      files: [file],
      read: ([text = '']) => {
        const content = asStartError(file, ConfigFileError, () => contentOf(text, file, parts));
        if (content.anonymous !== undefined && isGiven(flags, 'anonymous-auth'))
          throw new StartError(
            `--${file.flag} ${file.path}: anonymous: cannot be used with --anonymous-auth`,
          );
        return content;
      },
      metrics: configurationMetrics('apiserver_authentication_config_controller', title, env),
      env,
    }),
  );
  return {
    issuers: currentAuthenticator(() => configuration.current.issuers),
    anonymous: () => configuration.current.anonymous,
    loginClient: () => configuration.current.loginClient,
  };
}

function contentOf(text: string, { path }: FileFlag, parts: Parts): Content {
  const { names, env, ownIssuers, credentialIdKey } = parts;
  const { issuers, anonymous } = readAuthenticationConfiguration({ text, file: path, names, ownIssuers });
  const { clock, metrics } = env;
  return {
    issuers: tokenIssuersAuthenticator({
      issuers: issuers.map((issuer) => configuredIssuer(issuer, env)),
      implicitGroup: names.userGroups.authenticated,
      credentialIdKey,
      clock,
      metrics,
    }),
    anonymous,
    loginClient: loginClientOf(issuers),
  };
}

/** Logins need the discovery document in its usual place. */
function loginClientOf(issuers: readonly IssuerConfiguration[]): OidcClient | undefined {
  const issuer = issuers.find(({ discoveryUrl }) => discoveryUrl === undefined);
  const clientId = issuer?.audiences[0];
  if (issuer === undefined || clientId === undefined) return undefined;
  const { url: idpIssuerUrl, certificateAuthority: ca } = issuer;
  return { idpIssuerUrl, clientId, ...(ca !== undefined && { ca }) };
}
