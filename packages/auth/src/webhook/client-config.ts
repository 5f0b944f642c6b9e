import { dirname, isAbsolute, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { messageOf } from '@orch/machinery';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import { type LineOf, parseYaml, YamlSyntaxError, yamlLines } from '@orch/machinery/yaml';

/** A client configuration that cannot be used. The message begins with the line. */
export class ClientConfigError extends Error {
  override readonly name = 'ClientConfigError';
}

/** Address of a service, the identity that it must prove, and the credentials for it. */
export interface RemoteService {
  readonly url: URL;
  /** PEM; the authorities of the machine without it. */
  readonly ca: string | undefined;
  /** Name in the certificate, when it is not that of the URL. */
  readonly serverName: string | undefined;
  readonly isUnverified: boolean;
  /** PEM of the certificate that is shown, and its key. */
  readonly identity: { readonly cert: string; readonly key: string } | undefined;
  readonly authorization: string | undefined;
}

/** The users of a client configuration file, by name. */
export interface ClientUsers {
  readonly users: ReadonlyMap<string, Pick<RemoteService, 'identity' | 'authorization'>>;
  /** Name of the user of the current context; undefined without one. */
  readonly current: string | undefined;
}

type Path = readonly (string | number)[];
type ReadFile = (path: string) => string;

/** A map of the file, with its path. */
interface Found {
  readonly value: JsonObject;
  readonly path: Path;
}

/**
 * Reads a client configuration file (access-control document, 5.7): the cluster and the user of its current context.
 * `read` reads the files that it names, relative to its own folder. Throws `ClientConfigError`.
 */
export function readClientConfig(text: string, path: string, read: ReadFile): RemoteService {
  const { reader, file } = opened(text, path, read);
  const current = reader.text(file, 'current-context');
  if (current === '') reader.fail([], 'current-context: a context is required');
  const context = reader.named(file, 'contexts', current, 'context');
  const cluster = reader.named(file, 'clusters', reader.text(context, 'cluster'), 'cluster');
  const userName = reader.text(context, 'user');
  const user = userName === '' ? { value: {}, path: [] } : reader.named(file, 'users', userName, 'user');
  return {
    url: urlOf(reader, cluster),
    ca: reader.pem(cluster, 'certificate-authority'),
    serverName: reader.text(cluster, 'tls-server-name') || undefined,
    isUnverified: cluster.value['insecure-skip-tls-verify'] === true,
    identity: identityOf(reader, user),
    authorization: authorizationOf(reader, user),
  };
}

/** Reads all users of a client configuration file, as `readClientConfig` reads one. */
export function readClientUsers(text: string, path: string, read: ReadFile): ClientUsers {
  const { reader, file } = opened(text, path, read);
  const users = reader.all(file, 'users', 'user').map(([name, user]) => {
    const credentials = { identity: identityOf(reader, user), authorization: authorizationOf(reader, user) };
    return [name, credentials] as const;
  });
  const current = reader.text(file, 'current-context');
  const context = current === '' ? undefined : reader.named(file, 'contexts', current, 'context');
  const user = context === undefined ? '' : reader.text(context, 'user');
  return { users: new Map(users), current: user === '' ? undefined : user };
}

function opened(
  text: string,
  path: string,
  read: ReadFile,
): { readonly reader: ConfigReader; readonly file: Found } {
  const root = parsed(text);
  const reader = new ConfigReader(yamlLines(text), (name) =>
    read(isAbsolute(name) ? name : join(dirname(path), name)),
  );
  return { reader, file: { value: reader.struct(root, [], 'the file'), path: [] } };
}

function parsed(text: string): unknown {
  try {
    return parseYaml(Buffer.from(text));
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw new ClientConfigError(error.message);
    throw error;
  }
}

/** Reads fields of the file, and reports invalid ones with their line. */
class ConfigReader {
  readonly #lineOf: LineOf;
  readonly #read: ReadFile;

  constructor(lineOf: LineOf, read: ReadFile) {
    this.#lineOf = lineOf;
    this.#read = read;
  }

  fail(path: Path, problem: string): never {
    throw new ClientConfigError(`line ${this.#lineOf(path)}: ${problem}`);
  }

  struct(value: unknown, path: Path, what: string): JsonObject {
    return isJsonObject(value) ? value : this.fail(path, `${what}: expected an object`);
  }

  text({ value, path }: Found, field: string): string {
    const found = value[field] ?? '';
    return typeof found === 'string' ? found : this.fail([...path, field], `${field}: expected a string`);
  }

  /** The entry of a name in one of the three lists. */
  named(file: Found, list: string, name: string, field: string): Found {
    const [, found] = this.all(file, list, field).find(([each]) => each === name) ?? [];
    return found ?? this.fail([list], `${list}: there is none named ${JSON.stringify(name)}`);
  }

  /** The entries of one of the three lists, with their names. */
  all({ value, path }: Found, list: string, field: string): readonly (readonly [string, Found])[] {
    const entries = value[list] ?? [];
    if (!Array.isArray(entries)) return this.fail([...path, list], `${list}: expected a list`);
    return entries.map((one, at) => {
      const place = [...path, list, at, field];
      const entry = this.struct(one, place, list);
      const name = this.text({ value: entry, path: [...path, list, at] }, 'name');
      const what = `${list}[${JSON.stringify(name)}].${field}`;
      return [name, { value: this.struct(entry[field] ?? {}, place, what), path: place }];
    });
  }

  /** `<field>-data` in base64 takes precedence over the file that `<field>` names. */
  pem(holder: Found, field: string): string | undefined {
    const data = this.text(holder, `${field}-data`);
    return data === '' ? this.file(holder, field) : Buffer.from(data, 'base64').toString();
  }

  /** The content of the file that a field names. */
  file(holder: Found, field: string): string | undefined {
    const name = this.text(holder, field);
    if (name === '') return undefined;
    try {
      return this.#read(name);
    } catch (error) {
      return this.fail([...holder.path, field], `${field}: ${messageOf(error)}`);
    }
  }
}

function urlOf(reader: ConfigReader, cluster: Found): URL {
  const server = reader.text(cluster, 'server');
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    const why = `cluster.server: ${JSON.stringify(server)} is not an http or https URL`;
    return reader.fail([...cluster.path, 'server'], why);
  }
  if (reader.text(cluster, 'proxy-url') !== '')
    reader.fail([...cluster.path, 'proxy-url'], 'cluster.proxy-url: proxies are not supported');
  return url;
}

function identityOf(reader: ConfigReader, user: Found): RemoteService['identity'] {
  const cert = reader.pem(user, 'client-certificate');
  const key = reader.pem(user, 'client-key');
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    return reader.fail(user.path, 'user: client-certificate and client-key must be given together');
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    return reader.fail(user.path, `user: client-certificate and client-key: ${messageOf(error)}`);
  }
  return { cert, key };
}

function authorizationOf(reader: ConfigReader, user: Found): string | undefined {
  for (const field of ['exec', 'auth-provider']) {
    if (user.value[field] !== undefined)
      reader.fail([...user.path, field], `user.${field}: is not supported here`);
  }
  const token = reader.file(user, 'tokenFile')?.trim() ?? reader.text(user, 'token');
  if (token !== '') return `Bearer ${token}`;
  const name = reader.text(user, 'username');
  if (name === '') return undefined;
  return `Basic ${Buffer.from(`${name}:${reader.text(user, 'password')}`).toString('base64')}`;
}
