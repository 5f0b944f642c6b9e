import type { Env, Names } from '@orch/machinery';
import type { PluginPolicy } from '../credentials/exec/index.ts';
import { noCredentials } from '../credentials/fixed.ts';
import type { RefreshedTokens, SharedTokens } from '../credentials/oidc/index.ts';
import type { ConnectionSettings } from '../transport/connection-settings.ts';
import { clusterSettings } from './cluster.ts';
import { ConfigError } from './config-error.ts';
import { type ListName, type MergedFiles, readConfigFiles } from './config-files.ts';
import type { Fields } from './fields.ts';
import { userCredentials } from './user.ts';

/** The context to use, and its overrides. Absent or empty: as in the files. */
export interface ContextChoice {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
}

/** The files of a client configuration, and what programs choose in them. */
export interface ClientConfigOptions {
  readonly env: Pick<Env, 'clock'>;
  /** The naming of the server; by the plugin configuration when absent. */
  readonly names?: Names;
  /** In order of precedence. Empty names are ignored. */
  readonly files: readonly string[];
  /** Environment variables for credential plugins. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether plugins may use the standard input of this process; false when absent. */
  readonly hasTerminal?: boolean;
  /** The credential plugins that may run; all when absent. See `ExecContext`. */
  readonly pluginPolicy?: () => Promise<PluginPolicy>;
  /** Called when tokens of a user were refreshed, so that they can be stored; see `OidcContext`. */
  readonly persistTokens?: (user: UserOfFile, tokens: RefreshedTokens) => void | Promise<void>;
  /** The store of the tokens of a user, for programs that run at the same time; see `SharedTokens`. */
  readonly sharedTokens?: (user: UserOfFile) => SharedTokens;
}

/** The user whose tokens were refreshed, and the file that contains it. */
export interface UserOfFile {
  readonly name: string;
  readonly file: string;
}

/** One context of the files. The objects that it names may not exist. */
export interface ContextSummary {
  readonly name: string;
  readonly cluster: string | undefined;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
}

/** Client configuration files, merged. */
export interface ClientConfig {
  readonly currentContext: string | undefined;
  readonly contexts: readonly ContextSummary[];
  /** The settings of a connection with a context. Reads the files of its cluster and user. Throws a ConfigError. */
  settings(choice?: ContextChoice): ConnectionSettings;
}

/** Reads client configuration files and returns the settings of one context. Rejects with a ConfigError. */
export async function loadClientConfig(
  options: ClientConfigOptions & ContextChoice,
): Promise<ConnectionSettings> {
  const { context, cluster, user, namespace } = options;
  return (await readClientConfig(options)).settings({ context, cluster, user, namespace });
}

/** Reads client configuration files, for programs with a choice of contexts. Rejects with a ConfigError. */
export async function readClientConfig(options: ClientConfigOptions): Promise<ClientConfig> {
  const merged = await readConfigFiles(options.files, options.env.clock);
  return {
    currentContext: merged.currentContext?.name,
    contexts: [...merged.entries.contexts].map(([name, context]) => ({
      name,
      cluster: context.text('cluster'),
      user: context.text('user'),
      namespace: context.text('namespace'),
    })),
    settings: (choice = {}) => settingsOf(merged, options, choice),
  };
}

function settingsOf(
  merged: MergedFiles,
  options: ClientConfigOptions,
  choice: ContextChoice,
): ConnectionSettings {
  const context = contextOf(merged, choice);
  const clusterName = given(choice.cluster) ?? context?.needed('cluster');
  const cluster = entry(merged, 'clusters', clusterName ?? '', [context, 'cluster', choice.cluster]);
  const userName = given(choice.user) ?? context?.text('user');
  const namespace = given(choice.namespace) ?? context?.text('namespace');
  const { env, names, environment, persistTokens, sharedTokens, pluginPolicy } = options;
  const settings = clusterSettings(cluster);
  if (userName === undefined) return { ...settings, credentials: noCredentials(), ...named(namespace) };
  const user = entry(merged, 'users', userName, [context, 'user', choice.user]);
  const ofFile = { name: userName, file: user.place.file };
  const persist = persistTokens && ((tokens: RefreshedTokens) => persistTokens(ofFile, tokens));
  const credentials = userCredentials(user, {
    env,
    ...(names && { names }),
    environment,
    // Read when it is needed: to find out loads a module of the runtime.
    get hasTerminal() {
      return options.hasTerminal ?? false;
    },
    cluster,
    persist,
    shared: sharedTokens?.(ofFile),
    policy: pluginPolicy,
  });
  return { ...settings, credentials, ...named(namespace) };
}

/** Undefined when there is no current context and the caller has chosen a cluster. */
function contextOf(merged: MergedFiles, { context, cluster }: ContextChoice): Fields | undefined {
  const chosen = given(context);
  if (chosen !== undefined) return entry(merged, 'contexts', chosen, [undefined, '', chosen]);
  const { currentContext } = merged;
  if (currentContext === undefined) {
    if (given(cluster) !== undefined) return undefined;
    throw new ConfigError('is missing, and no context is chosen', {
      file: merged.files.join(', '),
      field: 'current-context',
    });
  }
  const found = merged.entries.contexts.get(currentContext.name);
  if (found !== undefined) return found;
  throw new ConfigError(`there is no context named ${JSON.stringify(currentContext.name)}`, {
    file: currentContext.file,
    field: 'current-context',
  });
}

/** An entry by name. The error for a missing entry is about its origin: the caller, or a field of the context. */
function entry(
  { entries, files }: MergedFiles,
  list: ListName,
  name: string,
  [context, field, chosen]: readonly [Fields | undefined, string, string | undefined],
): Fields {
  const found = entries[list].get(name);
  if (found !== undefined) return found;
  const problem = `there is none named ${JSON.stringify(name)}`;
  if (context === undefined || given(chosen) !== undefined)
    throw new ConfigError(problem, { file: files.join(', '), field: list });
  return context.fail(field, `${problem} among the ${list}`);
}

const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const named = (namespace: string | undefined): { namespace?: string } =>
  namespace === undefined ? {} : { namespace };
