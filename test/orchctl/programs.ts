import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findKubectls, type Kubectl, run } from '@orch/testkit';
import { executablePath } from '@orch/testkit/orchctl-executable';

const root = join(import.meta.dirname, '..', '..');

/** One of the built forms of `orchctl`. */
export interface BuiltProgram {
  readonly name: string;
  /** The program, and the arguments before those of a command line. */
  readonly argv: readonly string[];
  /** Why its tests are skipped; false when it was built. */
  readonly skip: string | false;
}

/** One file for Node. */
export const bundledFile: BuiltProgram = {
  name: 'the bundled file',
  argv: [process.execPath, join(root, 'dist', 'orchctl.cjs')],
  skip: false,
};

/** An executable that contains its runtime. */
export const executable: BuiltProgram = {
  name: 'the executable',
  argv: [executablePath],
  skip: existsSync(executablePath) ? false : "tests of the executable need 'make orchctl'",
};

export const builtPrograms: readonly BuiltProgram[] = [bundledFile, executable];

/** Later releases of kubectl print the namespace of what they delete. */
const NEWEST_MINOR_COMPARED = 33;

/** The newest kubectl of this machine whose output and flags are compared with those of orchctl. */
export const comparedKubectl = async (): Promise<Kubectl | undefined> =>
  (await findKubectls(root)).findLast(
    ({ release }) => Number(release.split('.')[1]) <= NEWEST_MINOR_COMPARED,
  );

/** That kubectl, for tests of what it does as well. */
export async function foundKubectl(): Promise<BuiltProgram> {
  const path = (await comparedKubectl())?.path;
  return path === undefined
    ? { name: 'kubectl', argv: [], skip: 'there is no kubectl on this machine' }
    : { name: 'kubectl', argv: [path], skip: false };
}

type Environment = Readonly<Record<string, string>>;

/** Runs `orchctl ARGV` in a folder, with only the path of this environment. */
export const runBuilt = (
  { argv: [program = '', ...first] }: BuiltProgram,
  argv: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: Environment },
): ReturnType<typeof run> =>
  run(
    'env',
    ['-i', ...assignments({ PATH: '/usr/bin:/bin', HOME: folder, ...env }), program, ...first, ...argv],
    {
      cwd: folder,
    },
  );

const assignments = (env: Environment): readonly string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);

/** Starts `orchctl ARGV`. */
export const startBuilt = (
  { argv: [program = '', ...first] }: BuiltProgram,
  argv: readonly string[],
  options: SpawnOptions,
): ChildProcess => spawn(program, [...first, ...argv], options);
