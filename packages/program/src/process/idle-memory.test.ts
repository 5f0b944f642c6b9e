import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { FakeClock } from '@orch/machinery/testing';
import { idleRuntime, reclaimIdleMemory } from './idle-memory.ts';

/** A process whose load is set by the test. */
function open() {
  const clock = new FakeClock();
  const load = { share: 0 };
  const modes: boolean[] = [];
  const reclaiming = reclaimIdleMemory(clock, {
    utilization: () => load.share,
    saveMemory: (on) => modes.push(on),
  });
  const pass = (share: number, seconds: number): void => {
    load.share = share;
    clock.advance(seconds * 1000);
  };
  return { clock, modes, pass, reclaiming };
}

describe('memory of an idle process', () => {
  it('memory is reclaimed for some seconds after work, once', () => {
    const { modes, pass } = open();
    pass(0.9, 3);
    pass(0.01, 1);
    assert.deepEqual(modes, []);
    pass(0.01, 5);
    assert.deepEqual(modes, [true]);
    pass(0.01, 60);
    assert.deepEqual(modes, [true, false]);
  });

  it('a process that never worked reclaims nothing', () => {
    const { modes, pass } = open();
    pass(0.01, 300);
    pass(0.1, 300);
    assert.deepEqual(modes, []);
  });

  it('work ends the reclaiming at the next look, and the process reclaims again afterwards', () => {
    const { modes, pass } = open();
    pass(0.9, 1);
    pass(0, 4);
    pass(0.5, 1);
    assert.deepEqual(modes, [true, false]);
    pass(0, 60);
    assert.deepEqual(modes, [true, false, true, false]);
  });

  it('a process with a little work all the time is not idle', () => {
    const { modes, pass } = open();
    pass(0.9, 1);
    pass(0.1, 60);
    assert.deepEqual(modes, []);
  });

  it('the mode of the runtime is as before after the end', () => {
    const { clock, modes, pass, reclaiming } = open();
    pass(0.9, 1);
    pass(0, 4);
    reclaiming[Symbol.dispose]();
    pass(0.9, 60);
    assert.deepEqual(modes, [true, false]);
    assert.equal(clock.pending, 0);
  });

  it('the work of other threads counts as work of the process', async () => {
    const runtime = idleRuntime('process');
    if (runtime === undefined) return;
    const before = process.cpuUsage();
    const spin = new Worker('const end = Date.now() + 50; while (Date.now() < end);', { eval: true });
    await once(spin, 'exit');
    const { user, system } = process.cpuUsage(before);
    const share = runtime.utilization();
    assert.ok(share > 0, `${share} after ${user + system} µs`);
  });

  it('this runtime knows the mode', { skip: idleRuntime() === undefined && 'an older runtime' }, () => {
    // Unknown flags end a process with an error.
    execFileSync(process.execPath, ['--memory-saver-mode', '--eval', '0']);
    const runtime = idleRuntime();
    assert.ok(runtime !== undefined);
    const share = runtime.utilization();
    assert.ok(share >= 0 && share <= 1, `${share}`);
  });
});
