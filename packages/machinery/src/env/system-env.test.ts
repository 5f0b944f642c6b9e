import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemEnv } from './system-env.ts';

describe('environment of a process', () => {
  it('the environment of a process has a clock that goes forward and runs callbacks once unless cancelled', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { clock } = systemEnv();
    const ran: string[] = [];
    clock.schedule(10, () => void ran.push('kept'));
    const cancel = clock.schedule(10, () => void ran.push('cancelled'));
    cancel();
    cancel();
    t.mock.timers.tick(9);
    assert.deepEqual(ran, []);
    t.mock.timers.tick(1);
    assert.deepEqual(ran, ['kept']);
    const before = clock.monotonic();
    assert.ok(before <= clock.monotonic());
    assert.ok(clock.now() > Date.UTC(2020, 0, 1));
  });

  it('the environment of a process holds delays longer than a timer of the runtime can', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { clock } = systemEnv();
    const longest = 2 ** 31 - 1;
    let ran = 0;
    clock.schedule(longest * 2 + 5, () => ran++);
    const cancel = clock.schedule(longest * 2 + 5, () => ran++);
    t.mock.timers.tick(longest);
    cancel();
    t.mock.timers.tick(longest);
    t.mock.timers.tick(4);
    assert.equal(ran, 0);
    t.mock.timers.tick(1);
    assert.equal(ran, 1);
  });

  it('the environment of a process has chance of the right shapes', () => {
    const { random } = systemEnv();
    assert.equal(random.bytes(16).length, 16);
    assert.match(random.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (let i = 0; i < 100; i++) assert.ok([0, 1, 2].includes(random.int(3)));
  });
});
