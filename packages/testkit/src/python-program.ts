import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, run } from './run.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Outside the checkout's sources, and kept between runs. */
const installed = join(root, 'node_modules', '.cache', 'python');
const INSTALL_MS = 5 * 60_000;

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
      /** Runs a script to its end, at most 60 s. */
      readonly run: (script: string, args: readonly string[]) => Promise<CommandResult>;
    }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * Installs packages for the tests alone: those of the file `requirements`, each with the hash of what is installed. Await it at the
 * top of a test file. Throws when the list is wrong.
 */
export async function pythonWith(requirements: string, name: string): Promise<Python> {
  const python = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'python3'))
    .find((path) => existsSync(path));
  if (python === undefined) return { kind: 'missing', reason: 'python3 not found' };
  const target = join(installed, name);
  const install = ['install', '--quiet', '--upgrade', '--require-hashes', '--only-binary=:all:'];
  const { code, stderr } = await run(
    python,
    ['-m', 'pip', '--disable-pip-version-check', ...install, '--target', target, '-r', requirements],
    { timeoutMs: INSTALL_MS },
  );
  if (code !== 0) {
    const reason = unavailable.find(([pattern]) => pattern.test(stderr))?.[1];
    if (reason === undefined) throw new Error(`pip install -r ${requirements} failed:\n${stderr}`);
    return { kind: 'missing', reason };
  }
  const env = { PYTHONPATH: target, PYTHONDONTWRITEBYTECODE: '1' };
  return { kind: 'found', run: (script, args) => run(python, [script, ...args], { env }) };
}
