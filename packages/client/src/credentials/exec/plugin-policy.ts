import { delimiter, isAbsolute, join, normalize } from 'node:path';
import { CredentialError } from '../credential-error.ts';

/** The programs of client configurations that may run. */
export interface PluginPolicy {
  readonly mode: 'AllowAll' | 'DenyAll' | 'Allowlist';
  /** For `Allowlist`: absolute paths, and names in `PATH`. */
  readonly names: readonly string[];
  /** The source of the policy, for messages. */
  readonly source: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface PluginCall {
  readonly command: string;
  /** The environment of the plugin, in whose `PATH` its name is searched. */
  readonly environment: Environment;
  /** The environment of this process, in whose `PATH` names of the list are searched. */
  readonly ownEnvironment: Environment;
}

/**
 * The program to start. With a list this is the absolute path that was compared with the list, so that a `PATH` of the client
 * configuration cannot lead to another program of the same name. Throws a CredentialError for a program that may not run.
 */
export function permittedProgram({ mode, names, source }: PluginPolicy, call: PluginCall): string {
  const { command, environment, ownEnvironment } = call;
  if (mode === 'AllowAll') return command;
  if (mode === 'DenyAll')
    throw new CredentialError(
      `exec plugin ${command} was not run: credentialPluginPolicy of ${source} is DenyAll`,
    );
  const program = programPath(command, environment);
  const listed = names.map((name) => programPath(name, ownEnvironment));
  if (program !== undefined && listed.includes(program)) return program;
  throw new CredentialError(
    `exec plugin ${command} was not run: it is not in credentialPluginAllowlist of ${source}`,
  );
}

/** The absolute path of a program; undefined when there is none, or only one in a relative folder. */
function programPath(command: string, environment: Environment): string | undefined {
  if (isAbsolute(command)) return normalize(command);
  if (/[/\\]/.test(command)) return undefined;
  const { accessSync, constants, statSync } = process.getBuiltinModule('node:fs');
  const isProgram = (path: string): boolean => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  };
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, command)).find(isProgram);
}
