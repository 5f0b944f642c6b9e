import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, parseYaml, YamlSyntaxError } from '@orch/machinery';

/** A definition from a published package. */
export interface PublishedDefinition {
  readonly title: string;
  readonly definition: JsonObject;
}

/** Where a Go module was unpacked; undefined when it cannot be had on this machine. */
function moduleFolder(module: string): string | undefined {
  const { status, stdout } = spawnSync('go', ['mod', 'download', '-json', module], {
    cwd: tmpdir(),
    env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off', GOTOOLCHAIN: 'local' },
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (status !== 0) return undefined;
  const { Dir: folder } = JSON.parse(stdout) as { readonly Dir?: string };
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

const isDefinition = (value: unknown): value is JsonObject =>
  isJsonObject(value) && value['kind'] === 'CustomResourceDefinition' && isJsonObject(value['spec']);

/** The documents of a file; templates, which are no YAML, have none. */
function documentsOf(text: string): readonly unknown[] {
  return text.split(/^---.*$/m).flatMap((part) => {
    if (part.trim() === '') return [];
    try {
      return [parseYaml(Buffer.from(part))];
    } catch (error) {
      if (error instanceof YamlSyntaxError) return [];
      throw error;
    }
  });
}

/**
 * The definitions in v1 within Go modules (`path@version`), each name once. They are read where the Go toolchain unpacks
 * them; what cannot be had is left out.
 */
export function publishedDefinitions(modules: readonly string[]): readonly PublishedDefinition[] {
  return modules.flatMap((module) => {
    const folder = moduleFolder(module);
    if (folder === undefined) return [];
    const found = new Map<string, PublishedDefinition>();
    for (const file of globSync('**/*.{yaml,yml}', { cwd: folder }).sort()) {
      const text = readFileSync(join(folder, file), 'utf8');
      if (!/^kind: CustomResourceDefinition$/m.test(text)) continue;
      for (const definition of documentsOf(text).filter(isDefinition)) {
        if (!String(definition['apiVersion']).endsWith('/v1')) continue;
        const title = `${nameOf(definition)} of ${module}`;
        if (!found.has(nameOf(definition))) found.set(nameOf(definition), { title, definition });
      }
    }
    return [...found.values()];
  });
}

const nameOf = ({ metadata }: JsonObject): string => (isJsonObject(metadata) ? String(metadata['name']) : '');
