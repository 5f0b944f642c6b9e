import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const MAKE_MS = 5 * 60_000;

/** Set in a run of the suite that has made the packages before its tests, to their folder. */
const FOLDER_VARIABLE = 'ORCH_PACKAGE_ARCHIVES';

/** The archives of the packages for npm, which projects install. */
export interface Archives extends Disposable {
  readonly paths: readonly string[];
}

/** The archives that `make packages` makes, without its check of types, which `make verify` does. Throws when it fails. */
export async function packageArchives(): Promise<Archives> {
  const made = process.env[FOLDER_VARIABLE];
  if (made !== undefined) return { paths: archivesIn(made), [Symbol.dispose]() {} };
  const folder = temporaryFolder();
  const failure = await make(folder.path);
  if (failure !== undefined) throw new Error(`make packages failed:\n${failure}`);
  return { paths: archivesIn(folder.path), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/**
 * Makes the archives for this process and those that it starts: most of the time is that of a compiler. If it fails, each test makes
 * them and reports the failure.
 */
export async function makePackageArchives(): Promise<void> {
  // Several runs of one checkout may make them at the same time.
  const folder = join(root, 'node_modules', '.cache', 'package-archives', String(process.pid));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  remove();
  mkdirSync(folder, { recursive: true });
  process.once('exit', remove);
  if ((await make(folder)) === undefined) process.env[FOLDER_VARIABLE] = folder;
}

/** What `make packages` prints when it fails. */
async function make(folder: string): Promise<string | undefined> {
  const args = [join(root, 'scripts/packages.ts'), '--no-check', '--output', folder];
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd: root, timeoutMs: MAKE_MS });
  return code === 0 ? undefined : stdout + stderr;
}

const archivesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.tgz'))
    .sort()
    .map((file) => join(folder, file));
