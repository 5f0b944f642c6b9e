import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sleep } from '../concurrency/index.ts';
import { FakeClock, seededRandom, testEnv } from './index.ts';

describe('clock of tests', () => {
  it('the test clock runs due timers in the order of their times, equal ones as they were set, at their own time', () => {
    const clock = new FakeClock();
    const start = clock.now();
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(`${name}@${clock.now() - start}`);
    clock.schedule(20, note('b'));
    clock.schedule(10, note('a1'));
    clock.schedule(10, () => {
      note('a2')();
      clock.schedule(5, note('nested'));
      clock.schedule(0, note('now'));
    });
    clock.schedule(30, note('late'));
    clock.schedule(10, note('gone'))();
    clock.advance(25);
    assert.deepEqual(ran, ['a1@10', 'a2@10', 'now@10', 'nested@15', 'b@20']);
    assert.equal(clock.monotonic(), 25);
    assert.equal(clock.pending, 1);
    assert.equal(clock.runNext(), true);
    assert.equal(clock.monotonic(), 30);
    assert.equal(clock.runNext(), false);
  });

  it('the test clock lets code that awaits run between timers', async () => {
    const clock = new FakeClock();
    const { signal } = new AbortController();
    const ticks: number[] = [];
    const loop = (async () => {
      for (let i = 0; i < 5; i++) {
        await sleep(clock, 10, signal);
        ticks.push(clock.monotonic());
      }
    })();
    await clock.advanceAsync(50);
    await loop;
    assert.deepEqual(ticks, [10, 20, 30, 40, 50]);
  });

  it('the test clock moves wall time apart from monotonic time', () => {
    const clock = new FakeClock(1000);
    clock.advance(10);
    clock.setWallTime(5);
    assert.deepEqual([clock.now(), clock.monotonic()], [5, 10]);
    clock.advance(1);
    assert.deepEqual([clock.now(), clock.monotonic()], [6, 11]);
  });
});

describe('seeded random numbers', () => {
  it('a random sequence repeats for the same seed and differs for another', () => {
    const draw = (seed: number): unknown[] => {
      const random = seededRandom(seed);
      return [
        random.uuid(),
        random.bytes(4).toString('hex'),
        ...Array.from({ length: 20 }, () => random.int(1000)),
      ];
    };
    assert.deepEqual(draw(7), draw(7));
    assert.notDeepEqual(draw(7), draw(8));
    assert.match(String(draw(7)[0]), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('a random number stays in range, and the numbers reach all of it', () => {
    const random = seededRandom(1);
    const seen = new Set(Array.from({ length: 200 }, () => random.int(5)));
    assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4]);
  });
});

describe('environment of tests', () => {
  it('the test environment records log entries and starts at the same instant every time', () => {
    const env = testEnv();
    env.log.info('hello', { n: 1 });
    assert.deepEqual(env.entries, [{ ts: '2024-01-01T00:00:00.000Z', level: 'info', msg: 'hello', n: 1 }]);
    assert.equal(testEnv().random.uuid(), testEnv().random.uuid());
  });
});
