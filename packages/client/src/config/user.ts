import { type Env, messageOf, type Names, namesFor, namingOf } from '@orch/machinery';
import { certificateCredentials } from '../credentials/certificate.ts';
import { withCertificate } from '../credentials/combined.ts';
import { execCredentials, type PluginPolicy } from '../credentials/exec/index.ts';
import {
  basicCredentials,
  fixedCredentials,
  isToken,
  noCredentials,
  tokenCredentials,
} from '../credentials/fixed.ts';
import {
  type Impersonation,
  impersonatingCredentials,
  isImpersonable,
} from '../credentials/impersonation.ts';
import { oidcCredentials, type RefreshedTokens, type SharedTokens } from '../credentials/oidc/index.ts';
import { tokenFileCredentials } from '../credentials/token-file.ts';
import type { Credentials } from '../credentials/types.ts';
import { problemOfPair } from '../files/pem.ts';
import { readSmallFile } from '../files/small-file.ts';
import { execCluster } from './cluster.ts';
import type { Fields } from './fields.ts';
import { besideFile, fieldOf, pemSource, readPem } from './file-pem.ts';
import { execConfig, oidcConfig } from './plugin-config.ts';

export interface UserContext {
  readonly env: Pick<Env, 'clock'>;
  /** By the version of the plugin's protocol when absent. */
  readonly names?: Names;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hasTerminal: boolean;
  readonly cluster: Fields;
  readonly persist?: ((tokens: RefreshedTokens) => void | Promise<void>) | undefined;
  readonly shared?: SharedTokens | undefined;
  readonly policy?: (() => Promise<PluginPolicy>) | undefined;
}

/** Creates the credentials of `users[].user`. Throws a ConfigError. */
export function userCredentials(user: Fields, context: UserContext): Credentials {
  const own = headerCredentials(user, context);
  const plugin = pluginCredentials(user, context);
  const certificate = certificateOf(user, context);
  // Credentials in the file take precedence over plugins.
  const primary = own ?? plugin ?? noCredentials();
  const all = certificate === undefined ? primary : withCertificate(primary, certificate);
  const impersonation = impersonationOf(user);
  return impersonation === undefined ? all : impersonatingCredentials(all, impersonation);
}

function headerCredentials(user: Fields, { env }: UserContext): Credentials | undefined {
  const token = user.text('token');
  if (token !== undefined && !isToken(token))
    user.fail('token', 'contains characters that a token cannot have');
  const tokenFile = user.text('tokenFile');
  const basic = basicOf(user);
  if (basic !== undefined && (token ?? tokenFile) !== undefined)
    user.fail('username', 'contradicts the token: give one of them');
  if (tokenFile !== undefined) {
    const path = besideFile(user, tokenFile);
    if (token === undefined) checkTokenFile(user, path);
    return tokenFileCredentials({ path, env, ...(token !== undefined && { fallback: token }) });
  }
  return token === undefined ? basic : tokenCredentials(token);
}

function basicOf(user: Fields): Credentials | undefined {
  const [username, password] = [user.text('username'), user.text('password')];
  if (username === undefined)
    return password === undefined
      ? undefined
      : user.fail('username', 'is missing, while there is a password');
  if (username.includes(':')) user.fail('username', 'must not have a colon');
  return basicCredentials(username, password ?? '');
}

function checkTokenFile(user: Fields, path: string): void {
  let text: string;
  try {
    text = readSmallFile(path).trim();
  } catch (error) {
    user.fail('tokenFile', `cannot be read: ${messageOf(error)}`);
  }
  if (!isToken(text)) user.fail('tokenFile', `${path} contains no token`);
}

function pluginCredentials(user: Fields, context: UserContext): Credentials | undefined {
  const { env, environment, cluster, persist, shared, policy } = context;
  const [exec, provider] = [user.object('exec'), user.object('auth-provider')];
  if (exec !== undefined && provider !== undefined)
    user.fail('auth-provider', 'contradicts exec: give one of them');
  if (provider !== undefined)
    return oidcCredentials(oidcConfig(provider), {
      env,
      ...(persist !== undefined && { persist }),
      ...(shared !== undefined && { shared }),
    });
  if (exec === undefined) return undefined;
  const names = context.names ?? namesFor(namingOf(exec.text('apiVersion') ?? '') ?? 'orch');
  const config = execConfig(exec, names);
  const extension = `${names.group('clientauthentication')}/exec`;
  return execCredentials(config, {
    env,
    names,
    environment,
    hasTerminal: context.hasTerminal,
    ...(policy !== undefined && { policy }),
    ...(config.provideClusterInfo && { cluster: execCluster(cluster, extension) }),
  });
}

function certificateOf(user: Fields, { env }: UserContext): Credentials | undefined {
  const cert = pemSource(user, 'client-certificate');
  const key = pemSource(user, 'client-key');
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) return user.fail('client-certificate', 'is missing, while there is a client-key');
  if (key === undefined) return user.fail('client-key', 'is missing, while there is a client-certificate');
  const pair = {
    cert: readPem(user, 'client-certificate', cert),
    key: readPem(user, 'client-key', key),
  };
  const wrong = problemOfPair(pair);
  if (wrong?.of === 'cert') user.fail(fieldOf(cert, 'client-certificate'), wrong.problem);
  if (wrong?.of === 'key') user.fail(fieldOf(key, 'client-key'), wrong.problem);
  if ('pem' in cert && 'pem' in key) return fixedCredentials({ headers: {}, tls: pair });
  return certificateCredentials({ cert, key, env });
}

function impersonationOf(user: Fields): Impersonation | undefined {
  const name = user.text('as');
  const uid = user.text('as-uid');
  const groups = user.texts('as-groups');
  const extra = extraOf(user);
  if (name === undefined) {
    if (uid !== undefined || groups.length > 0 || extra.size > 0)
      user.fail('as', 'is missing, while there is as-uid, as-groups or as-user-extra');
    return undefined;
  }
  checkImpersonable(user, 'as', name);
  if (uid !== undefined) checkImpersonable(user, 'as-uid', uid);
  for (const [i, group] of groups.entries()) checkImpersonable(user, `as-groups[${i}]`, group);
  return { user: name, ...(uid !== undefined && { uid }), groups, extra };
}

function extraOf(user: Fields): ReadonlyMap<string, readonly string[]> {
  const extra = user.object('as-user-extra');
  const found = new Map<string, readonly string[]>();
  for (const name of extra?.names() ?? []) {
    const values = extra?.texts(name) ?? [];
    if (name === '') user.fail('as-user-extra', 'a name must not be empty');
    for (const [i, value] of values.entries()) checkImpersonable(user, `as-user-extra.${name}[${i}]`, value);
    found.set(name, values);
  }
  return found;
}

function checkImpersonable(user: Fields, field: string, value: string): void {
  if (!isImpersonable(value)) user.fail(field, 'is empty, or has characters that no header can have');
}
