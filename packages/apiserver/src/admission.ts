import { readFileSync } from 'node:fs';
import {
  AdmissionChain,
  noConfiguration,
  type OpenPluginFile,
  type PluginConfiguration,
  type PluginParts,
  pluginNames,
  pluginsOf,
  readAdmissionConfiguration,
} from '@orch/admission';
import { atLeast, fieldServedIn, type Release } from '@orch/apis';
import type { ObjectSource } from '@orch/auth';
import type { Env } from '@orch/machinery';
import { ConfigFileError } from '@orch/machinery/yaml';
import type { Tracing } from '@orch/pipeline';
import { readFlagFile, StartError } from '@orch/program';
import type { Access } from '@orch/registry';
import type { ApiOptions } from '@orch/server';
import { fileMetrics } from './reload/reload-metrics.ts';
import { ReloadedFiles } from './reload/reloaded-files.ts';
import type { Reloads } from './reload/reloads.ts';
import { type NamedFile, tlsService } from './remote-services.ts';
import type { Settings } from './settings/settings.ts';

const FLAG = 'admission-control-config-file';

export interface AdmissionParts {
  readonly env: Env;
  readonly access: Access;
  readonly source: ObjectSource;
  readonly tracing?: Tracing | undefined;
  readonly configuration: PluginConfiguration;
  /** Collects the files that are reloaded. */
  readonly reloads: Reloads;
  /** The buckets of the process for the limits of events. */
  readonly eventTokens?: PluginParts['eventTokens'];
}

/** The parts of the API for plugins. */
type RegistryParts = Parameters<NonNullable<ApiOptions['admission']>>[0];

/** The enabled plugins. Throws a `StartError` when the configuration of one is invalid. */
export function admissionChain(
  settings: Settings,
  { env, access, source, tracing, configuration, reloads, eventTokens }: AdmissionParts,
  registryParts: RegistryParts,
): AdmissionChain {
  const { names, admission } = settings;
  return asStartError(() => {
    const plugins = pluginsOf(new Set(admission.plugins), {
      ...registryParts,
      ...pluginSettingsOf(settings),
      configuration,
      eventTokens,
      source,
      names,
      clock: env.clock,
      random: env.random,
      metrics: env.metrics,
      log: env.log,
      authorizer: access.authorizer,
      openService: (path, firstPauseMs) =>
        tlsService(namedFile('ImagePolicyWebhook', path), firstPauseMs, { ...env, tracing, reloads }),
      openFile: pluginFiles(env, reloads),
    });
    return new AdmissionChain(plugins, { ...env, names });
  });
}

/** Health checks of these files are named by flag and plugin. */
const namedFile = (plugin: string, path: string): NamedFile => ({
  name: `${FLAG}-${plugin}`,
  title: plugin,
  flag: FLAG,
  path,
});

const pluginFiles =
  (env: Env, reloads: Reloads): OpenPluginFile =>
  ({ plugin, path, read }) => {
    const { name, title } = namedFile(plugin, path);
    return reloads.add(
      new ReloadedFiles({
        name,
        title: `the client configuration of ${title}`,
        files: [],
        read: (_texts, _previous, include) => read(include(path), include),
        metrics: fileMetrics(FLAG, env),
        env,
      }),
    );
  };

const readFile = (name: string): string => readFileSync(name, 'utf8');

/**
 * Reads the admission configuration file, and the files that it names for enabled plugins. Throws a `StartError` when one
 * cannot be read.
 */
export function readPluginConfiguration({ flags, names, admission }: Settings): PluginConfiguration {
  const { admissionControlConfigFile: file } = flags;
  if (file === '') return noConfiguration;
  const text = readFlagFile(FLAG, file);
  return asStartError(() => {
    const configuration = readAdmissionConfiguration({
      text,
      file,
      names,
      plugins: pluginNames,
      read: readFile,
    });
    for (const plugin of admission.plugins) configuration(plugin);
    return configuration;
  });
}

function asStartError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new StartError(`--${FLAG}${error.file === '' ? '' : ` ${error.file}`}: ${error.message}`);
  }
}

/** The release from which the newest of several default classes is used. */
const NEWEST_DEFAULT_SINCE: Release = '1.26';

/** The first release in which pods of all namespaces may have the classes of critical pods. */
const CRITICAL_PODS_ANYWHERE_SINCE: Release = '1.17';

/** The first release that protects VolumeAttributesClasses at their creation. */
const CLASS_PROTECTION_SINCE: Release = '1.33';

type PluginSettings = Pick<
  PluginParts,
  | 'mountsTokenSecrets'
  | 'tolerationSeconds'
  | 'refusesSeveralDefaults'
  | 'restrictsCriticalPods'
  | 'setsPreemptionPolicy'
  | 'setsPriorityOfGroups'
  | 'setsPreemptionPolicyOfGroups'
  | 'protectsPodGroups'
  | 'protectsVolumeAttributesClasses'
  | 'restrictsAudiences'
  | 'hasPodOverhead'
  | 'hasPodSecurity'
  | 'release'
  | 'hasMatchConditions'
>;

/** Settings of admission plugins that are flags, or depend on the release. */
const pluginSettingsOf = ({ flags, release, gates }: Settings): PluginSettings => {
  const isServed = fieldServedIn(release, gates.open, gates.closed);
  return {
    tolerationSeconds: {
      notReady: flags.defaultNotReadyTolerationSeconds,
      unreachable: flags.defaultUnreachableTolerationSeconds,
    },
    refusesSeveralDefaults: !atLeast(release, NEWEST_DEFAULT_SINCE),
    mountsTokenSecrets: !isServed({ since: '1.22', gate: 'BoundServiceAccountTokenVolume' }),
    restrictsCriticalPods: !atLeast(release, CRITICAL_PODS_ANYWHERE_SINCE),
    setsPreemptionPolicy: isServed({ since: '1.19', gate: 'NonPreemptingPriority' }),
    setsPriorityOfGroups: isServed({ since: '1.37' }),
    setsPreemptionPolicyOfGroups: isServed({ since: 'never', gate: 'PodGroupPreemptionPolicy' }),
    restrictsAudiences: isServed({ since: 'never', gate: 'ServiceAccountNodeAudienceRestriction' }),
    protectsPodGroups: isServed({ since: 'never', gate: 'GenericWorkload' }),
    protectsVolumeAttributesClasses:
      atLeast(release, CLASS_PROTECTION_SINCE) && isServed({ since: '1.34', gate: 'VolumeAttributesClass' }),
    hasMatchConditions: isServed({ since: '1.28', gate: 'AdmissionWebhookMatchConditions' }),
    hasPodOverhead: isServed({ since: '1.18', gate: 'PodOverhead' }),
    hasPodSecurity: gates.open.has('PodSecurity'),
    release,
  };
};
