import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '../testing/fake-clock.ts';
import { type Deadline, DeadlineQueue, disarm } from './deadline-queue.ts';

describe('queue of deadlines', () => {
  it('due deadlines fire in order, not early, and with one timer', () => {
    const clock = new FakeClock(0);
    const queue = new DeadlineQueue(clock, 100, 10);
    const fired: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      queue.arm(() => fired.push(`${name}@${clock.now()}`));
      clock.advance(30);
      assert.equal(clock.pending, 1);
    }
    clock.advance(9);
    assert.deepEqual(fired, []);
    clock.advance(1000);
    assert.deepEqual(fired, ['a@110', 'b@140', 'c@170']);
    assert.equal(clock.pending, 0);
  });

  it('a disarmed deadline does not fire, even if another one disarms it while firing', () => {
    const clock = new FakeClock(0);
    const queue = new DeadlineQueue(clock, 100, 0);
    const fired: string[] = [];
    const armed: Record<string, Deadline> = {};
    armed['a'] = queue.arm(() => {
      fired.push('a');
      disarm(armed['c']);
    });
    armed['b'] = queue.arm(() => fired.push('b'));
    armed['c'] = queue.arm(() => fired.push('c'));
    armed['d'] = queue.arm(() => fired.push('d'));
    disarm(armed['b']);
    disarm(armed['b']);
    clock.advance(200);
    disarm(armed['a']);
    assert.deepEqual(fired, ['a', 'd']);
  });

  it('a deadline may be armed while another one fires', () => {
    const clock = new FakeClock(0);
    const queue = new DeadlineQueue(clock, 100, 0);
    let count = 0;
    const again = (): void => {
      if (++count < 3) queue.arm(again);
    };
    queue.arm(again);
    clock.advance(1000);
    assert.equal(count, 3);
  });

  it('a closed queue fires nothing', () => {
    const clock = new FakeClock(0);
    const queue = new DeadlineQueue(clock, 100, 0);
    const first = queue.arm(() => assert.fail());
    queue.arm(() => assert.fail());
    queue.close();
    disarm(first);
    clock.advance(1000);
  });
});
