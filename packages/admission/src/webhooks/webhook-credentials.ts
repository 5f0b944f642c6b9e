import {
  ClientConfigError,
  type ClientUsers,
  readClientUsers,
  type WebhookAddress,
  type WebhookCredentials,
} from '@orch/auth';
import { messageOf, type Names } from '@orch/machinery';
import { ConfigFileError, type ConfigValue } from '@orch/machinery/yaml';
import { relativeTo } from '../configuration/plugin-configuration.ts';
import type { CurrentContent, OpenPluginFile } from '../configuration/plugin-files.ts';

export interface CredentialsOptions {
  readonly names: Names;
  readonly plugin: string;
  readonly openFile: OpenPluginFile;
}

/** The credentials for the webhook at an address; undefined when it gets none. */
export type CredentialsFor = (at: WebhookAddress['at']) => WebhookCredentials | undefined;

const none: CurrentContent<CredentialsFor> = { current: () => undefined };

/**
 * Reads the configuration of a plugin that calls webhooks, and the client configuration file that it names
 * (access-control document, 4.5), which may change later. Throws `ConfigFileError`.
 */
export function webhookCredentials(
  configuration: ConfigValue | undefined,
  { names, plugin, openFile }: CredentialsOptions,
): CurrentContent<CredentialsFor> {
  if (configuration === undefined || configuration.isAbsent) return none;
  const file = fileOf(configuration, names);
  const name = file.text();
  if (name === '') return none;
  const path = relativeTo(configuration, name);
  try {
    return openFile<CredentialsFor>({
      plugin,
      path,
      read(text, readFile) {
        const users = readClientUsers(text, path, readFile);
        return (at) => userFor(users, at);
      },
    });
  } catch (error) {
    if (error instanceof ConfigFileError) throw error;
    const problem = error instanceof ClientConfigError ? `${name}: ${error.message}` : messageOf(error);
    return file.fail(problem);
  }
}

function fileOf(configuration: ConfigValue, names: Names): ConfigValue {
  const older = names.apiVersion('apiserverconfig', 'v1alpha1');
  const { apiVersion } = (configuration.value ?? {}) as { readonly apiVersion?: unknown };
  const isOlder = apiVersion === older;
  const field = configuration.document(
    {
      kind: isOlder ? 'WebhookAdmission' : 'WebhookAdmissionConfiguration',
      apiVersions: isOlder ? [older] : [names.apiVersion('apiserverconfig', 'v1'), older],
    },
    ['kubeConfigFile'],
  );
  return field('kubeConfigFile');
}

const USUAL_PORT = '443';

/** The most specific of: host and port, host alone for port 443, both with a wildcard, the default, the current user. */
function userFor({ users, current }: ClientUsers, at: WebhookAddress['at']): WebhookCredentials | undefined {
  const target = typeof at === 'string' ? hostIn(at) : `${at.name}.${at.namespace}.svc:${at.port}`;
  const suffix = `:${USUAL_PORT}`;
  const hosts = target.endsWith(suffix) ? [target, target.slice(0, -suffix.length)] : [target];
  for (const host of hosts) {
    const name = namesOf(host).find((each) => users.has(each));
    if (name !== undefined) return users.get(name);
  }
  return users.get('*') ?? (current === undefined ? undefined : users.get(current));
}

/** Host and port as in the URL; the URL parser omits the default port. */
const hostIn = (url: string): string => /^[^:]+:\/\/([^/?#]*)/.exec(url)?.[1]?.toLowerCase() ?? '';

/** `a.b.c`, `*.b.c`, `*.c`. */
function namesOf(host: string): readonly string[] {
  const labels = host.split('.');
  return labels.map((_, at) => (at === 0 ? host : ['*', ...labels.slice(at)].join('.')));
}
