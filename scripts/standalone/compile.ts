import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import type { Platform } from './platforms.ts';

/** The inputs of an executable, and its path. */
export interface Compilation {
  /** The runtime of this machine, which compiles. */
  readonly compiler: string;
  /** The runtime that the executable contains. */
  readonly runtime: string;
  readonly platform: Platform;
  readonly entry: string;
  readonly outfile: string;
}

const OPTIONS = [
  'build',
  '--compile',
  // Parsed at build time, and loaded module by module. Names stay, also those of errors.
  ...['--format=esm', '--splitting', '--bytecode', '--sourcemap=none'],
  ...['--minify-whitespace', '--minify-syntax'],
  // Most commands end before optimized code would pay: compiling it took a tenth of the time of `get`.
  '--compile-jit-policy=10',
  // The current folder may be that of another repository: nothing in it may change the behaviour of the program.
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
  '--no-compile-autoload-tsconfig',
  '--no-compile-autoload-package-json',
];

/** Writes one executable. Throws with the messages of the compiler. */
export function compile({ compiler, runtime, platform, entry, outfile }: Compilation): void {
  const argv = [
    ...OPTIONS,
    `--target=bun-${platform.name}`,
    `--compile-executable-path=${runtime}`,
    `--outfile=${outfile}`,
    entry,
  ];
  // Neither the settings of a user nor those of this repository have an influence on the result.
  const { PATH, TMPDIR } = process.env;
  const home = dirname(entry);
  const { status, stdout, stderr, error } = spawnSync(compiler, argv, {
    cwd: home,
    env: { PATH, TMPDIR, HOME: home },
    encoding: 'utf8',
  });
  if (error !== undefined) throw new Error(`cannot run the compiler ${compiler}`, { cause: error });
  if (status !== 0) throw new Error(`cannot compile ${outfile}:\n${stdout}${stderr}`);
}
