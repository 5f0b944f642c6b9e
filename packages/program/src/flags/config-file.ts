import { readFileSync } from 'node:fs';
import { parseYaml } from '@orch/machinery/yaml';
import { type Given, UsageError } from './parse.ts';

/**
 * Reads flags from a YAML file: a mapping of flag names, with or without leading dashes, to values; list flags take
 * lists. `flag` names the file in errors. Throws `UsageError` when the file cannot be read or is not such a mapping.
 */
export function readConfigFile(path: string, flag = 'config'): readonly Given[] {
  const where = `--${flag} ${path}`;
  const content = readYaml(path, where);
  if (content === null || content === undefined) return [];
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw new UsageError(`${where}: expected a mapping of flag names to values`);
  }
  return Object.entries(content).map(([key, value]) => {
    const name = key.replace(/^-{1,2}/, '');
    if (name === 'config') throw new UsageError(`${where}: a configuration file cannot name another one`);
    return { name, text: textOf(value, `${where}: ${name}`) };
  });
}

function readYaml(path: string, where: string): unknown {
  try {
    return parseYaml(readFileSync(path));
  } catch (error) {
    throw new UsageError(`${where}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function textOf(value: unknown, what: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number')) {
    return value.join(',');
  }
  throw new UsageError(`${what}: expected a string, a number, true or false, or a list of strings`);
}
