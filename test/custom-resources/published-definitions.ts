import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import { parseYaml, YamlSyntaxError } from '@orch/machinery/yaml';

/** A definition from a published package. */
export interface PublishedDefinition {
  readonly title: string;
  readonly definition: JsonObject;
}

/** Modules of widely used operators, with their definitions. */
export const operatorModules = [
  'sigs.k8s.io/gateway-api@v1.3.0',
  'github.com/cert-manager/cert-manager@v1.18.2',
  'github.com/prometheus-operator/prometheus-operator@v0.84.0',
  'sigs.k8s.io/cluster-api@v1.10.4',
  'github.com/argoproj/argo-rollouts@v1.8.3',
  'github.com/kedacore/keda/v2@v2.17.2',
  'github.com/external-secrets/external-secrets@v0.18.2',
  'github.com/crossplane/crossplane@v1.20.0',
];

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

/** The documents of a file; templates, which are not YAML, have none. */
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

/** An object of a custom kind, as a project shows its users how to write it. */
export interface PublishedObject {
  readonly title: string;
  readonly object: JsonObject;
  /** It stands among those that must be refused. */
  readonly isInvalid: boolean;
}

const objectFiles = '**/{examples,example,samples,invalid-examples}/**/*.{yaml,yml}';

/** The objects in the example files of a Go module, of any kind. */
export function publishedObjects(module: string): readonly PublishedObject[] {
  const folder = moduleFolder(module);
  if (folder === undefined) return [];
  return globSync(objectFiles, { cwd: folder })
    .sort()
    .flatMap((file) =>
      documentsOf(readFileSync(join(folder, file), 'utf8'))
        .filter(isJsonObject)
        .map((object) => ({
          title: `${nameOf(object)} of ${file}`,
          object,
          isInvalid: file.includes('invalid-examples/'),
        })),
    );
}
