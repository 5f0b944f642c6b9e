import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { automaticThreads, type UsableMachine } from './automatic-threads.ts';

const MEBIBYTE = 2 ** 20;
const machine: UsableMachine = { cores: 4, memoryBytes: 0, platform: 'linux' };

describe('the automatic number of threads', () => {
  for (const [what, most, changed, threads] of [
    ['is one for each core', 8, {}, 4],
    ['is one on a single core', 8, { cores: 1 }, 1],
    ['is the maximum on a machine with more cores', 8, { cores: 64 }, 8],
    ['is the lower maximum of a program for one machine', 2, {}, 2],
    ['is limited by the memory of a container', 8, { memoryBytes: 512 * MEBIBYTE }, 2],
    ['is one in a container with little memory', 8, { memoryBytes: 100 * MEBIBYTE }, 1],
    ['is not limited by a control group without a limit', 8, { memoryBytes: 2 ** 64 }, 4],
    ['is one where systems do not divide connections', 8, { platform: 'darwin' }, 1],
  ] as const) {
    it(`the automatic number ${what}`, () => {
      assert.equal(automaticThreads(most, { ...machine, ...changed }), threads);
    });
  }
});
