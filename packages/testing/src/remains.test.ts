import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Remains } from './testing/many-planes.ts';

const program = join(import.meta.dirname, 'testing', 'many-planes.ts');
/** A leak of one object, descriptor or timer by each control plane is as visible as after a hundred. */
const PLANES = 4;

async function remainsOf(what: 'starts' | 'forks'): Promise<Remains> {
  const execArgv = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
  const child = fork(program, [what, String(PLANES)], { execArgv });
  const ended = new AbortController();
  child.once('exit', (code) => ended.abort(new Error(`the program ended with exit code ${code}`)));
  const [remains] = (await once(child, 'message', { signal: ended.signal })) as [Remains];
  return remains;
}

const linuxOnly = process.platform === 'linux' ? false : 'descriptors are counted by /proc';

describe('control planes that have stopped', { timeout: 170_000, skip: linuxOnly }, () => {
  for (const what of ['starts', 'forks'] as const)
    it(`many ${what} of control planes in a process leave no objects, descriptors, timers and sockets`, async () => {
      assert.deepEqual(await remainsOf(what), { objects: 0, resources: {} });
    });
});
