import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@orch/testkit';
import { checkout } from './deployment.ts';

const BUILD_MS = 300_000;

/** Checks out a commit into a new folder, and builds its programs with the libraries that are installed here. */
export async function buildCommit(commit: string, folder: string): Promise<void> {
  await successful('git', ['clone', '--quiet', '--no-checkout', '--shared', checkout, folder], checkout);
  await successful('git', ['checkout', '--quiet', commit], folder);
  linkLibraries(folder);
  await successful(join(folder, 'scripts/node'), ['scripts/build.ts'], folder);
}

/** Copies the links to libraries; links to workspace packages lead into the new checkout. */
function linkLibraries(folder: string): void {
  const [from, to] = [join(checkout, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(to);
  for (const name of readdirSync(from))
    if (name === '@orch')
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(from, name), join(to, name));
}

async function successful(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, stderr, stdout } = await run(program, args, { cwd, timeoutMs: BUILD_MS });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}${stdout}`);
}
