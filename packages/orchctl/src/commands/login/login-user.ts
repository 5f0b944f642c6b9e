import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { LoginTokens, OidcClient } from '@orch/client/login';
import { messageOf } from '@orch/machinery';
import { asText, type JsonObject } from '@orch/machinery/json';
import type { YamlChange } from '@orch/machinery/yaml';
import { UsageError } from '@orch/program/flags';
import type { ConfigSet } from '../../client-config/config-set.ts';
import { withTokenLock } from '../../client-config/tokens-in-file.ts';
import { providerChange, providerConfig } from '../../client-config/user-tokens.ts';
import { CommandError } from '../../command-error.ts';
import type { GlobalValues } from '../../global-flags.ts';
import type { Io } from '../../io.ts';

/** The user of the client configuration that a login or logout is about. */
export interface LoginUser {
  readonly name: string;
  /** The file with its entry, or that in which it is created. */
  readonly file: string;
  /** The settings of its provider; empty for a new user. */
  readonly provider: JsonObject;
  /** Whether the context uses this user, or has none and gets it. */
  readonly isOfContext: boolean;
  /** The context without a user. */
  readonly contextWithout: string | undefined;
}

/** Credentials that would be sent instead of the token of a login, or with it. */
const otherCredentials = [
  'token',
  'tokenFile',
  'username',
  'exec',
  'client-certificate',
  'client-certificate-data',
] as const;

/** The user of `--user` or of the context. Throws a CommandError when it has other credentials. */
export function chooseUser(config: ConfigSet, globals: GlobalValues): LoginUser {
  const contextName = globals.context === '' ? config.currentContext : globals.context;
  const context = config.entries('contexts').get(contextName);
  if (globals.context !== '' && context === undefined)
    throw new CommandError(`no context exists with the name: ${JSON.stringify(contextName)}`);
  const ofContext = asText(context?.['user']);
  const name = globals.user === '' ? ofContext : globals.user;
  if (name === '') throw new CommandError('the context has no user: name one with --user');
  const user = config.entries('users').get(name) ?? {};
  const other = otherCredentials.find((field) => user[field] !== undefined);
  if (other !== undefined)
    throw new CommandError(
      `user ${JSON.stringify(name)} has other credentials (${other}): choose another name with --user`,
    );
  const hasNone = context !== undefined && ofContext === '';
  return {
    name,
    file: config.fileOf('users', name)?.path ?? config.defaultPath,
    provider: providerConfig(user),
    isOfContext: name === ofContext || hasNone,
    contextWithout: hasNone ? contextName : undefined,
  };
}

export interface ClientFlags {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecretFile: string;
  readonly issuerCaFile: string;
}

/** The client from flags, or of an earlier login at the same provider: its secret is not sent to any other. */
export function clientFor(user: LoginUser, flags: ClientFlags, { folder }: Io): OidcClient {
  const stored = storedClient(user);
  const idpIssuerUrl = flags.issuerUrl === '' ? stored?.idpIssuerUrl : flags.issuerUrl;
  if (idpIssuerUrl === undefined)
    throw new UsageError('--issuer-url is required for the first login of a user');
  const earlier = stored?.idpIssuerUrl === idpIssuerUrl ? stored : undefined;
  const clientId = flags.clientId === '' ? earlier?.clientId : flags.clientId;
  if (clientId === undefined) throw new UsageError('--client-id is required for the first login of a user');
  const ofClient = earlier?.clientId === clientId ? earlier.clientSecret : undefined;
  const file = (path: string): string => textOf(resolve(folder, path));
  const clientSecret = flags.clientSecretFile === '' ? ofClient : file(flags.clientSecretFile).trim();
  const ca = flags.issuerCaFile === '' ? earlier?.ca : file(flags.issuerCaFile);
  return {
    idpIssuerUrl,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(ca !== undefined && { ca }),
  };
}

/** The client of an earlier login. Undefined for a user without a provider. */
export function storedClient({ provider, file }: LoginUser): OidcClient | undefined {
  const text = (field: string): string => asText(provider[field]);
  if (text('idp-issuer-url') === '') return undefined;
  const [data, path] = [text('idp-certificate-authority-data'), text('idp-certificate-authority')];
  return {
    idpIssuerUrl: text('idp-issuer-url'),
    clientId: text('client-id'),
    ...(text('client-secret') !== '' && { clientSecret: text('client-secret') }),
    ...(data !== '' && { ca: Buffer.from(data, 'base64').toString('utf8') }),
    ...(data === '' && path !== '' && { ca: textOf(resolve(dirname(file), path)) }),
  };
}

export interface FinishedLogin {
  readonly config: ConfigSet;
  readonly user: LoginUser;
  readonly client: OidcClient;
  readonly tokens: LoginTokens;
}

/** Stores the provider and the tokens, and gives the user to a context without one. */
export async function storeLogin({ config, user, client, tokens }: FinishedLogin, io: Io): Promise<void> {
  const { idpIssuerUrl, clientId, clientSecret, ca } = client;
  const data = ca === undefined ? undefined : Buffer.from(ca).toString('base64');
  const changes: readonly YamlChange[] = [
    { path: ['auth-provider', 'name'], value: 'oidc' },
    providerChange('idp-issuer-url', idpIssuerUrl),
    providerChange('client-id', clientId),
    providerChange('client-secret', clientSecret),
    providerChange('idp-certificate-authority'),
    providerChange('idp-certificate-authority-data', data),
    providerChange('id-token', tokens.idToken),
    providerChange('refresh-token', tokens.refreshToken),
  ];
  await withTokenLock(user.file, io, async () => {
    await config.setFields('users', user.name, changes);
    if (user.contextWithout !== undefined)
      await config.setFields('contexts', user.contextWithout, [{ path: ['user'], value: user.name }]);
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CommandError(`${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
