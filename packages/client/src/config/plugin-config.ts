import { basename, isAbsolute } from 'node:path';
import type { Names } from '@orch/machinery';
import type { ExecConfig, InteractiveMode } from '../credentials/exec/index.ts';
import type { OidcConfig } from '../credentials/oidc/index.ts';
import { problemOfAuthorities } from '../files/pem.ts';
import type { Fields } from './fields.ts';
import { besideFile, fieldOf, pemSource, readPem } from './file-pem.ts';

const interactiveModes: readonly InteractiveMode[] = ['Never', 'IfAvailable', 'Always'];

/** Decodes `user.exec`. Throws a ConfigError. */
export function execConfig(exec: Fields, names: Names): ExecConfig {
  const installHint = exec.text('installHint');
  const { apiVersion, version } = versionOf(exec, names);
  return {
    command: commandOf(exec),
    args: exec.texts('args'),
    env: exec.objects('env').map((one) => ({ name: variableOf(one), value: one.text('value') ?? '' })),
    apiVersion,
    ...(installHint !== undefined && { installHint }),
    provideClusterInfo: exec.flag('provideClusterInfo'),
    interactiveMode: interactiveModeOf(exec, version),
  };
}

/** A bare name is searched by the system; a relative path is relative to the folder of the file. */
function commandOf(exec: Fields): string {
  const command = exec.needed('command');
  if (command.includes('\0')) exec.fail('command', 'cannot be the name of a program');
  return basename(command) === command || isAbsolute(command) ? command : besideFile(exec, command);
}

function variableOf(one: Fields): string {
  const name = one.needed('name');
  return /[=\0]/.test(name) ? one.fail('name', 'cannot be the name of an environment variable') : name;
}

function versionOf(exec: Fields, names: Names): { readonly apiVersion: string; readonly version: string } {
  const apiVersion = exec.needed('apiVersion');
  const versions = ['v1', 'v1beta1'] as const;
  const version = versions.find((one) => names.apiVersion('clientauthentication', one) === apiVersion);
  if (version !== undefined) return { apiVersion, version };
  const supported = versions.map((one) => names.apiVersion('clientauthentication', one)).join(' or ');
  return exec.fail('apiVersion', `must be ${supported}`);
}

function interactiveModeOf(exec: Fields, version: string): InteractiveMode {
  const given = exec.text('interactiveMode');
  if (given === undefined)
    return version === 'v1beta1' ? 'IfAvailable' : exec.fail('interactiveMode', 'is missing');
  const mode = interactiveModes.find((one) => one === given);
  return mode ?? exec.fail('interactiveMode', `must be one of ${interactiveModes.join(', ')}`);
}

/** Decodes `user.auth-provider`, of which one kind is supported. Throws a ConfigError. */
export function oidcConfig(provider: Fields): OidcConfig {
  if (provider.needed('name') !== 'oidc') provider.fail('name', 'the only supported provider is oidc');
  const config = provider.object('config') ?? provider.fail('config', 'is missing');
  const [clientSecret, idToken] = [config.text('client-secret'), config.text('id-token')];
  const refreshToken = config.text('refresh-token');
  const ca = providerAuthorities(config);
  return {
    idpIssuerUrl: issuerOf(config),
    clientId: config.needed('client-id'),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(idToken !== undefined && { idToken }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(ca !== undefined && { ca }),
  };
}

function issuerOf(config: Fields): string {
  const issuer = config.needed('idp-issuer-url');
  return URL.parse(issuer)?.protocol === 'https:'
    ? issuer
    : config.fail('idp-issuer-url', 'must be an https URL');
}

function providerAuthorities(config: Fields): string | undefined {
  const name = 'idp-certificate-authority';
  const source = pemSource(config, name);
  if (source === undefined) return undefined;
  const pem = readPem(config, name, source);
  const problem = problemOfAuthorities(pem);
  return problem === undefined ? pem : config.fail(fieldOf(source, name), problem);
}
