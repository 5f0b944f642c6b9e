import { dirname, isAbsolute, join } from 'node:path';
import { messageOf, type Names } from '@orch/machinery';
import { ConfigFileError, ConfigValue } from '@orch/machinery/yaml';

/** The configuration of a plugin from the admission configuration file; undefined when the file has none for it. */
export type PluginConfiguration = (plugin: string) => ConfigValue | undefined;

export interface ConfigurationParts {
  readonly configuration: PluginConfiguration;
}

export const noConfiguration: PluginConfiguration = () => undefined;

/** Throws `ConfigFileError` when the plugin has no configuration. */
export const requiredConfiguration = (configuration: PluginConfiguration, plugin: string): ConfigValue =>
  configuration(plugin) ?? missing(plugin);

function missing(plugin: string): never {
  throw new ConfigFileError('', `${plugin} is enabled and requires a configuration`);
}

/** Plugins whose configuration could be the whole file, before admission configurations had a kind. */
const UNVERSIONED = ['ImagePolicyWebhook', 'PodNodeSelector'];

/** The top-level fields of these plugins, which can share a file. */
export const SHARED_FILE_FIELDS = ['imagePolicy', 'podNodeSelectorPluginConfig'] as const;

export interface ConfigurationFile {
  readonly text: string;
  readonly file: string;
  readonly names: Names;
  /** Names of plugins; other ones are an error. */
  readonly plugins: readonly string[];
  readonly read: (file: string) => string;
}

/**
 * Reads an `AdmissionConfiguration` (access-control document, 4.5): for each plugin, an embedded object or the file of
 * `path`, relative to the folder of the configuration. The file of a plugin is read when its configuration is first
 * requested. Throws `ConfigFileError`.
 */
export function readAdmissionConfiguration({
  text,
  file,
  names,
  plugins,
  read,
}: ConfigurationFile): PluginConfiguration {
  const root = ConfigValue.parse(text, file);
  if (isUnversioned(root)) return (plugin) => (UNVERSIONED.includes(plugin) ? root : undefined);
  const field = root.document(
    {
      kind: 'AdmissionConfiguration',
      apiVersions: [names.apiVersion('apiserverconfig', 'v1'), names.apiVersion('apiserver', 'v1alpha1')],
    },
    ['plugins'],
  );
  const found = new Map<string, () => ConfigValue | undefined>();
  for (const entry of field('plugins').list()) {
    const of = entry.object(['name', 'path', 'configuration']);
    const name = of('name').oneOf(plugins);
    if (found.has(name)) of('name').fail(`${name} is configured more than once`);
    const embedded = of('configuration');
    found.set(
      name,
      once(() => (embedded.isAbsent ? fileOf(of('path'), read) : embedded)),
    );
  }
  return (plugin) => found.get(plugin)?.();
}

function once<T>(read: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: read() };
    return result.value;
  };
}

const isUnversioned = (root: ConfigValue): boolean =>
  !root.isAbsent &&
  root.entries().length > 0 &&
  root.entries().every(([field]) => field !== 'kind' && field !== 'apiVersion');

function fileOf(path: ConfigValue, read: ConfigurationFile['read']): ConfigValue | undefined {
  const name = path.text();
  if (name === '') return undefined;
  const file = relativeTo(path, name);
  let text: string;
  try {
    text = read(file);
  } catch (error) {
    return path.fail(messageOf(error));
  }
  return ConfigValue.parse(text, file);
}

/** The path of a file that a value of a configuration file names. */
export const relativeTo = ({ file }: Pick<ConfigValue, 'file'>, name: string): string =>
  isAbsolute(name) ? name : join(dirname(file), name);
