import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aborted } from '@orch/machinery';
import { type Part, runTogether } from './run-together.ts';

const waiting = (name: string, ended: string[]): Part => ({
  name,
  async run(signal) {
    await aborted(signal);
    ended.push(name);
  },
});

describe('runTogether', () => {
  it('ends all parts when the signal aborts', async () => {
    const stop = new AbortController();
    const ended: string[] = [];
    const running = runTogether([waiting('a', ended), waiting('b', ended)], stop.signal);
    stop.abort();
    await running;
    assert.deepEqual(ended, ['a', 'b']);
  });

  it('stops the others when one ends, and rejects with the first failure once all have ended', async () => {
    const ended: string[] = [];
    const failing: Part = {
      name: 'fails',
      async run() {
        throw new Error('first');
      },
    };
    await assert.rejects(runTogether([waiting('a', ended), failing], new AbortController().signal), /first/);
    assert.deepEqual(ended, ['a']);
    const over: Part = { name: 'over', run: async () => undefined };
    await runTogether([waiting('b', ended), over], new AbortController().signal);
    assert.deepEqual(ended, ['a', 'b']);
  });
});
