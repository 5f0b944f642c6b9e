import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { namesFor } from '@orch/machinery';
import { type CommandResult, run, temporaryFolder } from '@orch/testkit';
import { type Archives, packageArchives } from '@orch/testkit/package-archives';
import { INSTALL_MS, install, nodeTypesOf, type Tools } from '@orch/testkit/package-tools';

/** An empty project with the packages that `make packages` makes. */
export interface Project extends Disposable {
  readonly folder: string;
  /** The name on npm of a package that is made from a folder of `packages/`. */
  nameOf(source: string): string;
  /** The folder of a package in it. */
  package(name: string): string;
  /** The program of a command of a package. */
  command(name: string, command: string): string;
  write(files: Readonly<Record<string, string>>): void;
  run(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandResult>;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

/** The folders of `packages/` that packages are made from. */
const allSources: readonly string[] = ['client', 'testing'];

const archivesOf = ({ paths }: Archives, sources: readonly string[]): readonly string[] =>
  paths.filter((path) => sources.some((source) => basename(path).includes(`-${source}-`)));

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/**
 * Installs the packages, or those that are made from some folders, and others from npm. A reason where npm has no registry for their
 * dependencies.
 */
export async function emptyProject({
  sources = allSources,
  others = [],
}: {
  readonly sources?: readonly string[];
  readonly others?: readonly string[];
}): Promise<Project | { readonly missing: string }> {
  using archives = await packageArchives();
  const chosen = archivesOf(archives, sources);
  const temporary = temporaryFolder();
  const folder = temporary.path;
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "private": true, "type": "module" }\n');
  const missing = await install(folder, [...chosen, ...others]);
  if (missing !== undefined) {
    temporary[Symbol.dispose]();
    return { missing };
  }
  return projectIn(temporary);
}

/** A project with the packages alone, or those of some folders, unpacked without npm: for tests of what is in the packages. */
export async function unpackedProject(
  tools: Tools = { paths: {} },
  sources: readonly string[] = allSources,
): Promise<Project> {
  using archives = await packageArchives();
  const temporary = temporaryFolder();
  const folder = temporary.path;
  const dependencies: Record<string, string> = {};
  for (const path of archivesOf(archives, sources)) {
    const { code, stderr } = await run('tar', ['-xzf', path, '-C', folder], { timeoutMs: INSTALL_MS });
    if (code !== 0) throw new Error(`${path} cannot be unpacked:\n${stderr}`);
    const unpacked = join(folder, 'package');
    const { name, version } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly version: string;
    };
    dependencies[name] = version;
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    renameSync(unpacked, join(folder, 'node_modules', name));
  }
  const types = nodeTypesOf(tools);
  if (types !== undefined) {
    mkdirSync(join(folder, 'node_modules', '@types'));
    symlinkSync(dirname(types), join(folder, 'node_modules', '@types', 'node'));
  }
  const manifest = { name: 'project', private: true, type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return projectIn(temporary);
}

function projectIn(temporary: ReturnType<typeof temporaryFolder>): Project {
  const folder = temporary.path;
  const manifest = manifestIn(folder);
  const packageFolder = (name: string): string => join(folder, 'node_modules', name);
  return {
    folder,
    nameOf: (source) =>
      Object.keys(manifest.dependencies).find((name) => name.endsWith(`/${source}`)) ?? source,
    package: packageFolder,
    command: (name, command) =>
      join(packageFolder(name), manifestIn(packageFolder(name)).bin[command] ?? command),
    write(files) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
    },
    run: (program, args, env = {}) => run(program, args, { cwd: folder, env, timeoutMs: INSTALL_MS }),
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

/** The programs in a page of documentation, in order. */
export function programsIn(page: string, language: 'ts' | 'js' = 'ts'): readonly string[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, of, text = '']) => (of === language ? [text] : []));
}

const text = { type: 'string' };
const conditionsSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
    properties: {
      ...{ type: text, status: text, reason: text, message: text, lastTransitionTime: text },
      observedGeneration: { type: 'integer', format: 'int64' },
    },
  },
};

/** The definition of a custom resource with conditions, an enumeration, a default and an integer or string. */
export const widgetDefinition = (): object => ({
  apiVersion: namesFor('kubernetes').apiVersion('apiextensions', 'v1'),
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['colour', 'size', 'count'],
                properties: {
                  colour: { type: 'string', enum: ['red', 'blue'] },
                  size: { [namesFor('kubernetes').schemaExtensions.intOrString]: true },
                  count: { type: 'integer', default: 1 },
                },
              },
              status: { type: 'object', properties: { conditions: conditionsSchema } },
            },
          },
        },
      },
    ],
  },
});
