import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const newerLibc = join(root, '.tools', 'libc');

/** Node as it is, or through the newer C library that `scripts/install-newer-libc.sh` unpacks. */
function nodeCommands(): readonly (readonly string[])[] {
  const loader = join(newerLibc, 'ld-linux-x86-64.so.2');
  const plain = [process.execPath];
  return existsSync(loader) ? [plain, [loader, '--library-path', newerLibc, ...plain]] : [plain];
}

/** The command that starts the fuzzer. Throws if its native part does not load on this machine. */
export function fuzzerCommand(): readonly string[] {
  const require = createRequire(join(root, '.tools', 'fuzzer', 'package.json'));
  const native = require.resolve('@jazzer.js/fuzzer');
  let problem = '';
  for (const [program = '', ...before] of nodeCommands()) {
    const { status, stderr } = spawnSync(program, [
      ...before,
      '--eval',
      `require(${JSON.stringify(native)})`,
    ]);
    if (status === 0) return [program, ...before, join(require.resolve('@jazzer.js/core'), '..', 'cli.js')];
    problem = /^Error: .*$/m.exec(String(stderr))?.[0] ?? String(stderr);
  }
  throw new Error(`the fuzzer does not start on this machine: ${problem}`);
}
