import type { Env, Names } from '@orch/machinery';
import { noCredentials } from '../credentials/fixed.ts';
import type { RefreshedTokens } from '../credentials/oidc/config.ts';
import { clusterSettings } from './cluster.ts';
import { ConfigError } from './config-error.ts';
import { type ListName, type MergedFiles, readConfigFiles } from './config-files.ts';
import type { Members } from './members.ts';
import type { ConnectionSettings } from './types.ts';
import { userCredentials } from './user.ts';

/** Which of the contexts, and what of it is replaced. Absent or empty: as the files say. */
export interface ContextChoice {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
}

export interface ClientConfigOptions {
  readonly env: Pick<Env, 'clock'>;
  readonly names: Names;
  /** In the order in which they count: the first that says something is right. Empty names are left out. */
  readonly files: readonly string[];
  /** Environment variables that credential plugins inherit: those of the program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether plugins may use the standard input of this process; false when absent. */
  readonly hasTerminal?: boolean;
  /** Called when tokens of a user were refreshed, so that they can be written back; see `OidcContext`. */
  readonly persistTokens?: (user: UserOfFile, tokens: RefreshedTokens) => void | Promise<void>;
}

/** The user whose tokens were refreshed, and the file that he stands in. */
export interface UserOfFile {
  readonly name: string;
  readonly file: string;
}

/** One context of the files, as it stands there: what it names need not exist. */
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
  /** What a connection with a context needs. Reads the files that its cluster and user name. Throws a ConfigError. */
  settings(choice?: ContextChoice): ConnectionSettings;
}

/** Reads client configuration files and makes the settings of one context. Rejects with a ConfigError. */
export async function loadClientConfig(
  options: ClientConfigOptions & ContextChoice,
): Promise<ConnectionSettings> {
  const { context, cluster, user, namespace } = options;
  return (await readClientConfig(options)).settings({ context, cluster, user, namespace });
}

/** Reads client configuration files, for programs that let somebody choose. Rejects with a ConfigError. */
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
  const { env, names, environment, hasTerminal = false, persistTokens } = options;
  const settings = clusterSettings(cluster);
  if (userName === undefined) return { ...settings, credentials: noCredentials(), ...named(namespace) };
  const user = entry(merged, 'users', userName, [context, 'user', choice.user]);
  const persist =
    persistTokens &&
    ((tokens: RefreshedTokens) => persistTokens({ name: userName, file: user.place.file }, tokens));
  const credentials = userCredentials(user, { env, names, environment, hasTerminal, cluster, persist });
  return { ...settings, credentials, ...named(namespace) };
}

/** Undefined when nothing names one and the caller has said which cluster it is. */
function contextOf(merged: MergedFiles, { context, cluster }: ContextChoice): Members | undefined {
  const asked = given(context);
  if (asked !== undefined) return entry(merged, 'contexts', asked, [undefined, '', asked]);
  const { currentContext } = merged;
  if (currentContext === undefined) {
    if (given(cluster) !== undefined) return undefined;
    throw new ConfigError('is missing, and no context is chosen', {
      file: merged.files.join(', '),
      member: 'current-context',
    });
  }
  const found = merged.entries.contexts.get(currentContext.name);
  if (found !== undefined) return found;
  throw new ConfigError(`there is no context named ${JSON.stringify(currentContext.name)}`, {
    file: currentContext.file,
    member: 'current-context',
  });
}

/** An entry by name. When there is none, the error is about who named it: the caller, or a member of the context. */
function entry(
  { entries, files }: MergedFiles,
  list: ListName,
  name: string,
  [context, member, chosen]: readonly [Members | undefined, string, string | undefined],
): Members {
  const found = entries[list].get(name);
  if (found !== undefined) return found;
  const problem = `there is none named ${JSON.stringify(name)}`;
  if (context === undefined || given(chosen) !== undefined)
    throw new ConfigError(problem, { file: files.join(', '), member: list });
  return context.fail(member, `${problem} among the ${list}`);
}

const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const named = (namespace: string | undefined): { namespace?: string } =>
  namespace === undefined ? {} : { namespace };
