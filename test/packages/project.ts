import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesFor } from '@orch/machinery';
import { type CommandResult, run, temporaryFolder } from '@orch/testkit';
import { packageArchives } from '@orch/testkit/package-archives';

const root = join(import.meta.dirname, '..', '..');
const INSTALL_MS = 5 * 60_000;

/** A program that packages are tried with: an npm package, and the file in it that starts it. */
interface Tool {
  readonly alias: string;
  readonly spec: string;
  readonly file: string;
}

const compiler = (version: string): Tool => ({
  alias: `typescript-${version}`,
  spec: `npm:typescript@${version}`,
  file: 'lib/tsc.js',
});
const runtime = (version: string): Tool => ({
  alias: `node-${version}`,
  spec: `npm:node-${process.platform}-${process.arch}@${version}`,
  file: 'bin/node',
});

/** The oldest types of Node that the packages support, because compilers of that time read them. */
const nodeTypes: Tool = { alias: 'types-node-20', spec: 'npm:@types/node@20', file: 'package.json' };

/** Runtimes beside Node, from the packages that contain their programs. */
const others: readonly Tool[] = [
  {
    alias: 'bun',
    spec: `npm:@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}@1.4`,
    file: 'bin/bun',
  },
  {
    alias: 'deno',
    spec: `npm:@deno/${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}@2.9`,
    file: 'deno',
  },
];

/** The versions of TypeScript that the declarations compile under, beside that of this repository. */
export const compilers = ['5.4', '5.9'] as const;
/** The versions of Node that the packages run on, beside the one of the test. */
export const runtimes = ['20', '22'] as const;

/** The paths of installed tools by their alias; or why they cannot be on this machine. */
export type Tools = { readonly paths: Readonly<Record<string, string>> } | { readonly missing: string };

/** Installs compilers, versions of Node and types of Node from npm. Await it at the top of a test file. */
export const packageTools = (): Promise<Tools> =>
  toolsIn('package-tools', [nodeTypes, ...compilers.map(compiler), ...runtimes.map(runtime)]);

/** Installs the runtimes `bun` and `deno` from npm. */
export const otherRuntimes = (): Promise<Tools> => toolsIn('package-runtimes', others);

/** Installs tools in a folder that is kept between runs: an installation takes half a minute. */
async function toolsIn(name: string, tools: readonly Tool[]): Promise<Tools> {
  const folder = join(root, 'node_modules', '.cache', name);
  const installed = (tool: Tool): string => join(folder, 'node_modules', tool.alias, tool.file);
  const paths = Object.fromEntries(tools.map((tool) => [tool.alias, installed(tool)]));
  if (tools.every((tool) => isReadable(installed(tool)))) return { paths };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const failure = await install(
    folder,
    tools.map(({ alias, spec }) => `${alias}@${spec}`),
  );
  return failure === undefined ? { paths } : { missing: failure };
}

function isReadable(file: string): boolean {
  try {
    return readFileSync(file).length > 0;
  } catch {
    return false;
  }
}

/** Failures of npm that are not faults of a package. */
const noRegistry =
  /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|E404|ETARGET|EBADPLATFORM)\b/;

/** Installs packages; resolves with a reason where npm has no registry for them. */
async function install(folder: string, specs: readonly string[]): Promise<string | undefined> {
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', '--no-package-lock'];
  const { code, stderr } = await run('npm', ['install', ...flags, ...specs], {
    cwd: folder,
    timeoutMs: INSTALL_MS,
  });
  if (code === 0) return undefined;
  const reason = noRegistry.exec(stderr)?.[1];
  if (reason === undefined) throw new Error(`npm install ${specs.join(' ')} failed:\n${stderr}`);
  return `npm cannot install ${specs.join(' ')}: ${reason}`;
}

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

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Installs the packages, and others from npm. A reason where npm has no registry for their dependencies. */
export async function emptyProject(
  others: readonly string[] = [],
): Promise<Project | { readonly missing: string }> {
  using archives = await packageArchives();
  const temporary = temporaryFolder();
  const folder = temporary.path;
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "private": true, "type": "module" }\n');
  const missing = await install(folder, [...archives.paths, ...others]);
  if (missing !== undefined) {
    temporary[Symbol.dispose]();
    return { missing };
  }
  return projectIn(temporary);
}

/** A project with the packages alone, unpacked without npm: for tests of what is in the packages. */
export async function unpackedProject(tools: Tools = { paths: {} }): Promise<Project> {
  using archives = await packageArchives();
  const temporary = temporaryFolder();
  const folder = temporary.path;
  const dependencies: Record<string, string> = {};
  for (const path of archives.paths) {
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
  const types = 'paths' in tools ? tools.paths[nodeTypes.alias] : undefined;
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

/** The definition of a custom resource with an enumeration, a default and an integer or string. */
export const widgetDefinition = (): object => ({
  apiVersion: namesFor('kubernetes').apiVersion('apiextensions', 'v1'),
  kind: 'CustomResourceDefinition',
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
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
            },
          },
        },
      },
    ],
  },
});
