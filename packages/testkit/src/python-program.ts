import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, run } from './run.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Outside the checkout's sources, and kept between runs. */
const installed = join(root, 'node_modules', '.cache', 'python');
const INSTALL_MS = 5 * 60_000;
const SCRIPT_MS = 3 * 60_000;

/** Failures of an installation that are not faults of the list of packages. */
const unavailable = [
  [/No module named pip|No module named ensurepip/, 'this python has no pip'],
  [
    /NewConnectionError|Max retries|Temporary failure|timed out|ProxyError|ConnectionError/,
    'no package index',
  ],
  [/No matching distribution|Requires-Python/, 'no package for this python'],
] as const;

/** Python with packages; or why it cannot be on this machine, for the title of a skipped test. */
export type Python =
  | {
      readonly kind: 'found';
      /** Runs a script to its end, at most three minutes. */
      readonly run: (script: string, args: readonly string[]) => Promise<CommandResult>;
    }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * Installs packages for the tests alone: those of the file `requirements` and no others, each with the hash of what is installed.
 * Await it at the top of a test file. Packages of an unchanged list stay installed. Throws when the list is wrong.
 */
export async function pythonWith(requirements: string, name: string): Promise<Python> {
  const python = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'python3'))
    .find((path) => existsSync(path));
  if (python === undefined) return { kind: 'missing', reason: 'python3 not found' };
  const target = join(installed, name);
  const reason = await install(python, requirements, target);
  if (reason !== undefined) return { kind: 'missing', reason };
  const env = { PYTHONPATH: target, PYTHONDONTWRITEBYTECODE: '1' };
  return {
    kind: 'found',
    run: (script, args) => run(python, [script, ...args], { env, timeoutMs: SCRIPT_MS }),
  };
}

/** Returns why the packages cannot be installed on this machine, if so. */
async function install(python: string, requirements: string, target: string): Promise<string | undefined> {
  const { stdout: version } = await run(python, ['--version']);
  const wanted = `${version}${readFileSync(requirements, 'utf8')}`;
  const record = join(target, 'installed-requirements');
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted) return undefined;
  const options = ['--quiet', '--upgrade', '--no-deps', '--require-hashes', '--only-binary=:all:'];
  const { code, stderr } = await run(
    python,
    [
      '-m',
      'pip',
      '--disable-pip-version-check',
      'install',
      ...options,
      '--target',
      target,
      '-r',
      requirements,
    ],
    { timeoutMs: INSTALL_MS },
  );
  if (code === 0) {
    writeFileSync(record, wanted);
    return undefined;
  }
  const reason = unavailable.find(([pattern]) => pattern.test(stderr))?.[1];
  if (reason === undefined) throw new Error(`pip install -r ${requirements} failed:\n${stderr}`);
  return reason;
}
