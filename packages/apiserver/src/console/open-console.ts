import type { OidcClient } from '@orch/client/login';
import { readPageFiles } from '@orch/console/files';
import type { Env } from '@orch/machinery';
import { readCertificateBundle, readFlagFile } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import type { Settings } from '../settings/settings.ts';
import { ConsoleLogin } from './console-login.ts';
import { ConsolePages } from './console-pages.ts';

export interface OpenConsoleParts {
  readonly settings: Pick<Settings, 'flags' | 'names'>;
  readonly env: Env;
  /** The provider of `--authentication-config`, as its file changes. */
  readonly configured: (() => OidcClient | undefined) | undefined;
}

/** The console of a server. */
export function openConsole({ settings: { flags, names }, env, configured }: OpenConsoleParts): ConsolePages {
  const client = configured ?? always(clientOfFlags(flags));
  const secret = secretOfFlags(flags);
  let last: { readonly client: OidcClient; readonly login: ConsoleLogin } | undefined;
  return new ConsolePages({
    files: readPageFiles(),
    names,
    login() {
      const present = client();
      if (present === undefined) return undefined;
      if (last?.client !== present)
        last = {
          client: present,
          login: new ConsoleLogin({ client: { ...present, ...secret }, scopes: flags.consoleScopes, env }),
        };
      return last.login;
    },
  });
}

const always =
  <T>(value: T): (() => T) =>
  () =>
    value;

function secretOfFlags({
  consoleClientSecretFile: file,
}: Pick<ApiServerFlags, 'consoleClientSecretFile'>): Pick<OidcClient, 'clientSecret'> {
  return file === '' ? {} : { clientSecret: readFlagFile('console-client-secret-file', file).trim() };
}

function clientOfFlags({
  oidcIssuerUrl,
  oidcClientId,
  oidcCaFile,
}: Pick<ApiServerFlags, 'oidcIssuerUrl' | 'oidcClientId' | 'oidcCaFile'>): OidcClient | undefined {
  if (oidcIssuerUrl === '') return undefined;
  return {
    idpIssuerUrl: oidcIssuerUrl,
    clientId: oidcClientId,
    ...(oidcCaFile !== '' && { ca: readCertificateBundle('oidc-ca-file', oidcCaFile).join('\n') }),
  };
}
