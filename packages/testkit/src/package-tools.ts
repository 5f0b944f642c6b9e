import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** How long npm may take to install packages. */
export const INSTALL_MS = 5 * 60_000;

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
export const compilers = ['5.4', '5.9', '6.0'] as const;
/** The oldest versions of Node that the packages name. Tests run them there, and on the version that runs the tests. */
export const runtimes = ['20.18.0', '22.19.0'] as const;

/** The paths of installed tools by their alias; or why they cannot be on this machine. */
export type Tools = { readonly paths: Readonly<Record<string, string>> } | { readonly missing: string };

/** Installs compilers, versions of Node and types of Node from npm. Await it at the top of a test file. */
export const packageTools = (): Promise<Tools> =>
  toolsIn('package-tools', [nodeTypes, ...compilers.map(compiler), ...runtimes.map(runtime)]);

/** Installs the runtimes `bun` and `deno` from npm. */
export const otherRuntimes = (): Promise<Tools> => toolsIn('package-runtimes', others);

/**
 * Installs all of these for a run of the suite, because the first installation takes longer than a process of tests may. If it fails, each
 * test file tries again and reports the failure.
 */
export async function makePackageTools(): Promise<void> {
  await Promise.allSettled([packageTools(), otherRuntimes()]);
}

/** The `package.json` of the oldest types of Node that the packages support. */
export const nodeTypesOf = (tools: Tools): string | undefined =>
  'paths' in tools ? tools.paths[nodeTypes.alias] : undefined;

/** Installs tools in a folder that is kept between runs: an installation takes half a minute. */
async function toolsIn(name: string, tools: readonly Tool[]): Promise<Tools> {
  const folder = join(root, 'node_modules', '.cache', name);
  const installed = (tool: Tool): string => join(folder, 'node_modules', tool.alias, tool.file);
  const paths = Object.fromEntries(tools.map((tool) => [tool.alias, installed(tool)]));
  const isComplete = tools.every((tool) => statSync(installed(tool), { throwIfNoEntry: false })?.size);
  if (isComplete) return { paths };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const failure = await install(
    folder,
    tools.map(({ alias, spec }) => `${alias}@${spec}`),
  );
  return failure === undefined ? { paths } : { missing: failure };
}

/** Failures of npm that are not faults of a package. */
const noRegistry =
  /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|E404|ETARGET|EBADPLATFORM)\b/;

/** Installs packages; resolves with a reason where npm has no registry for them. */
export async function install(folder: string, specs: readonly string[]): Promise<string | undefined> {
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
