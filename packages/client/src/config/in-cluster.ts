import { type Env, messageOf, type Names } from '@orch/machinery';
import { isToken } from '../credentials/fixed.ts';
import { tokenFileCredentials } from '../credentials/token-file.ts';
import { problemOfAuthorities } from '../files/pem.ts';
import { isMissing, readSmallFile } from '../files/small-file.ts';
import type { ConnectionSettings } from '../transport/connection-settings.ts';
import { ConfigError } from './config-error.ts';

/** The process that runs in a pod. */
export interface InClusterOptions {
  readonly env: Pick<Env, 'clock'>;
  readonly names: Names;
  /** The environment variables of the program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of the service account files; the usual one when absent. */
  readonly folder?: string;
}

/** Reports whether the environment has the address of the server, as in every pod. */
export function isInCluster({
  names,
  environment,
}: Pick<InClusterOptions, 'names' | 'environment'>): boolean {
  const { serviceHost, servicePort } = names.environment;
  return (environment[serviceHost] ?? '') !== '' && (environment[servicePort] ?? '') !== '';
}

/**
 * The settings for a pod: the server from its environment, and authority, token and namespace of its service account. The
 * token is renewed from its file. Throws a ConfigError.
 */
export function inClusterConfig(options: InClusterOptions): ConnectionSettings {
  const { env, names, environment } = options;
  const { serviceHost, servicePort } = names.environment;
  if (!isInCluster(options))
    throw new ConfigError(`this is not a pod of a cluster: ${serviceHost} or ${servicePort} is not set`);
  const folder = options.folder ?? names.paths.serviceAccount;
  const path = `${folder}/token`;
  if (!isToken(contentOf(path).trim())) throw new ConfigError('contains no token', { file: path });
  const namespace = namespaceIn(`${folder}/namespace`);
  return {
    server: serverOf(environment[serviceHost] ?? '', environment[servicePort] ?? ''),
    ca: authorityIn(`${folder}/ca.crt`),
    insecureSkipTlsVerify: false,
    disableCompression: false,
    credentials: tokenFileCredentials({ path, env }),
    ...(namespace !== undefined && { namespace }),
  };
}

function serverOf(host: string, port: string): string {
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  // A host with a path or a user would result in another server.
  if (/[/?#@\s\\]/.test(host) || !/^\d{1,5}$/.test(port) || !URL.canParse(server))
    throw new ConfigError(`the environment names no server: ${JSON.stringify(`${host}:${port}`)}`);
  return server;
}

function authorityIn(file: string): string {
  const pem = contentOf(file);
  const problem = problemOfAuthorities(pem);
  if (problem !== undefined) throw new ConfigError(problem, { file });
  return pem;
}

/** Tokens may be mounted without a namespace. */
function namespaceIn(file: string): string | undefined {
  try {
    const text = readSmallFile(file).trim();
    return text === '' ? undefined : text;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new ConfigError(`cannot be read: ${messageOf(error)}`, { file });
  }
}

function contentOf(file: string): string {
  try {
    return readSmallFile(file);
  } catch (error) {
    throw new ConfigError(`cannot be read: ${messageOf(error)}`, { file });
  }
}
