import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  ConfigError,
  type ConnectionSettings,
  type Credentials,
  fixedCredentials,
  impersonatingCredentials,
  loadClientConfig,
  noCredentials,
  tokenCredentials,
} from '@orch/client';
import { messageOf, namesFor, namings } from '@orch/machinery';
import { UsageError } from '@orch/program/flags';
import { configFiles } from '../client-config/config-files.ts';
import { pluginPolicy } from '../client-config/plugin-policy.ts';
import { tokensInFile } from '../client-config/tokens-in-file.ts';
import { CommandError } from '../command-error.ts';
import type { GlobalValues } from '../global-flags.ts';
import type { Io } from '../io.ts';

/** The settings of the connection: those of the client configuration, changed by flags, with the proxy of the environment. */
export async function connectionSettings(globals: GlobalValues, io: Io): Promise<ConnectionSettings> {
  const configured = await configuredSettings(globals, io);
  const { server, certificateAuthority, tlsServerName, skipTlsVerify, proxyUrl } = globals;
  const { ca, ...rest } = configured;
  const authority = certificateAuthority === '' ? ca : readFlagFile(certificateAuthority, io);
  const settings = {
    ...rest,
    ...(server !== '' && { server: checkedServer(server) }),
    // Verification with an authority that is not used would suggest a secure connection.
    ...(authority !== undefined && !skipTlsVerify && { ca: authority }),
    ...(tlsServerName !== '' && { tlsServerName }),
    ...(proxyUrl !== '' && { proxyUrl: checkedProxy(proxyUrl) }),
    insecureSkipTlsVerify: skipTlsVerify || configured.insecureSkipTlsVerify,
    credentials: impersonated(credentialsOf(globals, configured.credentials, io), globals),
  };
  if (!Object.keys(io.environment).some((name) => /^https?_proxy$/i.test(name))) return settings;
  const { withEnvironmentProxy } = await import('./proxy-variables.ts');
  return withEnvironmentProxy(settings, io.environment);
}

/** The address of `--server`. Credentials are sent there, so the scheme is never guessed. */
function checkedServer(server: string): string {
  const url = URL.parse(server);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return server;
  throw new UsageError(
    `invalid value ${JSON.stringify(server)} for --server: must be a URL with its scheme, such as https://${server}`,
  );
}

/** The proxy of `--proxy-url`. */
function checkedProxy(proxyUrl: string): string {
  if (/^(?:https?|socks5h?):$/.test(URL.parse(proxyUrl)?.protocol ?? '')) return proxyUrl;
  throw new UsageError('invalid value for --proxy-url: must be an http, https or socks5 URL');
}

/** Without a client configuration, flags can name the server. */
async function configuredSettings(globals: GlobalValues, io: Io): Promise<ConnectionSettings> {
  const files = configFiles(globals.clientConfig, io);
  const { context, cluster, user, server } = globals;
  try {
    return await loadClientConfig({
      env: io.env,
      files,
      environment: io.environment,
      get hasTerminal() {
        return io.isInputTerminal;
      },
      pluginPolicy: () => pluginPolicy(globals.preferences, io),
      sharedTokens: (of) => tokensInFile(of, io),
      ...{ context, cluster, user },
    });
  } catch (error) {
    const isChosen = context !== '' || cluster !== '' || user !== '';
    if (server !== '' && !isChosen && hasNoContext(error, globals))
      return {
        server,
        insecureSkipTlsVerify: false,
        disableCompression: false,
        credentials: noCredentials(),
      };
    if (globals.clientConfig === '' && server === '' && files.every((file) => !existsSync(file)))
      throw noConfiguration(files, error);
    throw error;
  }
}

/** The failure of a command without any client configuration, with the ways to give one. */
function noConfiguration(files: readonly string[], cause: unknown): CommandError {
  const variables = namings.map((naming) => namesFor(naming).environment.clientConfig).join(' or ');
  return new CommandError(
    `there is no client configuration (${files.join(', ')}); name one by --client-config or by the variable ${variables}, or a server by --server`,
    { cause },
  );
}

/** Reports whether there is no configuration, or one that chooses no context. A given file must exist. */
const hasNoContext = (error: unknown, { clientConfig }: GlobalValues): boolean =>
  error instanceof ConfigError &&
  (error.field === 'current-context' || (error.field === undefined && clientConfig === ''));

function credentialsOf(globals: GlobalValues, configured: Credentials, io: Io): Credentials {
  const { token, clientCertificate, clientKey } = globals;
  if (token !== '') return tokenCredentials(token);
  if (clientCertificate === '' && clientKey === '') return configured;
  if (clientCertificate === '' || clientKey === '')
    throw new CommandError('--client-certificate and --client-key must be given together');
  const tls = { cert: readFlagFile(clientCertificate, io), key: readFlagFile(clientKey, io) };
  return fixedCredentials({ headers: {}, tls });
}

function impersonated(
  credentials: Credentials,
  { as, asGroups, asUid, asUserExtra }: GlobalValues,
): Credentials {
  if (as === '') {
    if (asGroups.length > 0 || asUid !== '' || asUserExtra.length > 0)
      throw new CommandError('--as-group, --as-uid and --as-user-extra require --as');
    return credentials;
  }
  return impersonatingCredentials(credentials, {
    user: as,
    groups: asGroups,
    ...(asUid !== '' && { uid: asUid }),
    ...(asUserExtra.length > 0 && { extra: extraValues(asUserExtra) }),
  });
}

/** The values of `--as-user-extra` by key. */
function extraValues(pairs: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1)
      throw new UsageError(`invalid value ${JSON.stringify(pair)} for --as-user-extra: must be KEY=VALUE`);
    const [key, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const known = values.get(key);
    if (known === undefined) values.set(key, [value]);
    else known.push(value);
  }
  return values;
}

function readFlagFile(path: string, { folder }: Io): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
