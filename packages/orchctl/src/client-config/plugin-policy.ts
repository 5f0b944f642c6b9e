import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { PluginPolicy } from '@orch/client';
import { messageOf, namesFor } from '@orch/machinery';
import { asText, isJsonObject, type JsonObject } from '@orch/machinery/json';
import { CommandError } from '../command-error.ts';
import type { Io } from '../io.ts';

type Surroundings = Pick<Io, 'environment' | 'folder' | 'homeFolder'>;

const modes: readonly PluginPolicy['mode'][] = ['AllowAll', 'DenyAll', 'Allowlist'];

/**
 * The policy of credential plugins, from the preferences of the user and never from the client configuration, which
 * others may have written. Without a file all plugins may run. Rejects with a CommandError for an invalid file: then no
 * plugin runs.
 */
export async function pluginPolicy(flag: string, io: Surroundings): Promise<PluginPolicy> {
  const path = preferencesPath(flag, io);
  if (path === undefined) return { mode: 'AllowAll', names: [], source: '' };
  const preferences = await readPreferences(path);
  const fail = (problem: string): never => {
    throw new CommandError(`${path}: ${problem}; no credential plugin is run`);
  };
  if (preferences['kind'] !== 'Preference') return fail('kind must be Preference');
  const text = asText(preferences['credentialPluginPolicy'] ?? 'AllowAll');
  const mode = modes.find((one) => one === text);
  if (mode === undefined) return fail(`credentialPluginPolicy must be one of ${modes.join(', ')}`);
  const names = listedNames(preferences['credentialPluginAllowlist'], fail);
  if (mode === 'Allowlist' && names.length === 0)
    return fail('credentialPluginPolicy is Allowlist, and credentialPluginAllowlist is empty');
  if (mode !== 'Allowlist' && names.length > 0)
    return fail('credentialPluginAllowlist is for the credentialPluginPolicy Allowlist');
  return { mode, names, source: path };
}

/**
 * The file from the flag, from the environment (variables of both namings, that of this project first), or in the home
 * folder; undefined for none.
 */
function preferencesPath(
  flag: string,
  { environment, folder, homeFolder }: Surroundings,
): string | undefined {
  const variables = (['orch', 'kubernetes'] as const).map(
    (naming) => namesFor(naming).environment.preferences,
  );
  const named = [flag, ...variables.map((name) => environment[name] ?? '')].find((text) => text !== '');
  if (named === 'off') return undefined;
  if (named !== undefined) return resolve(folder, named);
  const files = [join(homeFolder, '.orch', 'orchrc'), join(homeFolder, '.kube', 'kuberc')];
  return files.find((path) => existsSync(path));
}

async function readPreferences(path: string): Promise<JsonObject> {
  const { parseYaml } = await import('@orch/machinery/yaml');
  let value: unknown;
  try {
    value = parseYaml(readFileSync(path));
  } catch (cause) {
    throw new CommandError(`${path} cannot be read, and no credential plugin is run: ${messageOf(cause)}`, {
      cause,
    });
  }
  return isJsonObject(value) ? value : {};
}

/** The programs of the list: each entry has `command`, or `name` as in kubectl before 1.36. */
function listedNames(list: unknown, fail: (problem: string) => never): readonly string[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) return fail('credentialPluginAllowlist must be a list');
  return list.map((entry: unknown, i) => {
    const { command, name } = isJsonObject(entry) ? entry : {};
    if (command !== undefined && name !== undefined && command !== name)
      return fail(`credentialPluginAllowlist[${i}] has two programs, as command and as name`);
    const program = asText(command ?? name);
    if (program !== '' && (isAbsolute(program) || !/[/\\]/.test(program))) return program;
    const field = command === undefined && name !== undefined ? 'name' : 'command';
    return fail(`credentialPluginAllowlist[${i}].${field} must be a name or an absolute path`);
  });
}
