import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';

/** Runs a program that ends itself with `endProcess`; it is killed when it hangs. */
function run(text: string): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const url = JSON.stringify(join(import.meta.dirname, 'end-process.ts'));
  const script = `const { endProcess } = await import(${url});\n${text}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
}

describe('end of a process', { timeout: 60_000 }, () => {
  it('a process that an open handle keeps running ends with the status', () => {
    const text = `import { createServer } from 'node:net';
createServer().listen(0);
console.log('done');
endProcess(3);`;
    const { status, stdout, stderr } = run(text);
    assert.deepEqual({ status, stdout }, { status: 3, stdout: 'done\n' });
    assert.match(stderr, /^ended while something was still open: .*TCPServerWrap/);
  });

  it('work in progress may finish before the process ends', () => {
    const { status, stdout } = run(`endProcess(0); setTimeout(() => console.log('last'), 200);`);
    assert.deepEqual({ status, stdout }, { status: 0, stdout: 'last\n' });
  });
});
