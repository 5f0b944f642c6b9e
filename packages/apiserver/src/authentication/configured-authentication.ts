import {
  type AnonymousConfiguration,
  type Authenticator,
  configuredIssuer,
  currentAuthenticator,
  readAuthenticationConfiguration,
  tokenIssuersAuthenticator,
} from '@orch/auth';
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
}

interface Parts {
  readonly env: Env;
  readonly names: Names;
  /** Issuers of service account tokens. */
  readonly ownIssuers: readonly string[];
  /** Collects the files that are reloaded. */
  readonly reloads: Reloads;
}

interface Content {
  readonly issuers: Authenticator;
  readonly anonymous: AnonymousConfiguration | undefined;
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
  };
}

function contentOf(text: string, { path }: FileFlag, { names, env, ownIssuers }: Parts): Content {
  const { issuers, anonymous } = readAuthenticationConfiguration({ text, file: path, names, ownIssuers });
  const { clock, metrics } = env;
  return {
    issuers: tokenIssuersAuthenticator({
      issuers: issuers.map((issuer) => configuredIssuer(issuer, clock)),
      implicitGroup: names.userGroups.authenticated,
      clock,
      metrics,
    }),
    anonymous,
  };
}
