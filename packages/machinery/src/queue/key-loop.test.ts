import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deferred } from '../concurrency/index.ts';
import { errors } from '../status.ts';
import { seededRandom, settle, type TestEnv, testEnv } from '../testing/index.ts';
import { KeyLoop, type KeyLoopOptions } from './key-loop.ts';
import { runRounds } from './rounds.ts';

interface Running {
  readonly env: TestEnv;
  readonly loop: KeyLoop;
  readonly seen: string[];
  /** Stops the loop and waits for its end. */
  stop(): Promise<void>;
}

type Reconcile = KeyLoopOptions<string>['reconcile'];

function running(
  reconcile: Reconcile = async () => undefined,
  options: Partial<KeyLoopOptions<string>> = {},
): Running {
  const env = testEnv();
  const seen: string[] = [];
  const loop = new KeyLoop({
    env,
    name: 'test',
    workers: 1,
    failed: 'the key could not be processed',
    reconcile: (key, signal) => {
      seen.push(key);
      return reconcile(key, signal);
    },
    ...options,
  });
  const stop = new AbortController();
  const ended = loop.run(stop.signal);
  return {
    env,
    loop,
    seen,
    async stop() {
      stop.abort();
      await ended;
    },
  };
}

describe('loop over keys', () => {
  it('keys that are added before the loop runs are processed', async () => {
    const env = testEnv();
    const seen: string[] = [];
    const reconcile = async (key: string): Promise<undefined> => void seen.push(key);
    const loop = new KeyLoop({ env, name: 'test', workers: 2, failed: 'failed', reconcile });
    loop.add('a');
    const stop = new AbortController();
    const ended = loop.run(stop.signal);
    loop.add('b');
    await settle();
    assert.deepEqual(seen, ['a', 'b']);
    stop.abort();
    await ended;
  });

  it('a key is processed again after the delay that its work returned', async () => {
    const { env, loop, seen, stop } = running(async () => 1000);
    loop.add('a');
    await env.clock.advanceAsync(2500);
    assert.deepEqual(seen, ['a', 'a', 'a']);
    await stop();
    assert.equal(env.clock.pending, 0);
  });

  it('a delay that is not finite counts as a failure and stops no other key', async () => {
    const { env, loop, seen, stop } = running(async (key) => (key === 'bad' ? Number.NaN : undefined));
    loop.add('bad');
    loop.add('good');
    await settle();
    assert.deepEqual(seen, ['bad', 'good']);
    assert.throws(
      () => loop.addAfter('a', Number.POSITIVE_INFINITY),
      /^RangeError: delayMs: must be a finite/,
    );
    const [{ msg, level, key, failures } = {}] = env.entries;
    assert.deepEqual(
      { msg, level, key, failures },
      { msg: 'the key could not be processed', level: 'warn', key: 'bad', failures: 1 },
    );
    await stop();
  });

  it('delays after failures grow to a limit, differ between replicas, and are short again after a success', async () => {
    const times: number[] = [];
    let fails = true;
    const { env, loop, stop } = running(async () => {
      times.push(env.clock.monotonic());
      if (fails) throw new Error('no');
      return undefined;
    });
    loop.add('a');
    await env.clock.advanceAsync(60_000);
    const delays = times.map((at, i) => at - (times[i - 1] ?? 0)).slice(1);
    for (const [i, delay] of delays.entries()) {
      const full = Math.min(10_000, 50 * 2 ** i);
      assert.ok(delay >= full / 2 - 1 && delay <= full, `delay ${i} is ${delay}`);
    }
    assert.ok(delays.length >= 10);
    assert.notDeepEqual(delays.slice(0, 8), [50, 100, 200, 400, 800, 1600, 3200, 6400]);
    fails = false;
    await env.clock.advanceAsync(10_000);
    fails = true;
    const from = times.length;
    loop.add('a');
    await env.clock.advanceAsync(50);
    assert.equal(times.length, from + 2);
    await stop();
  });

  it('a conflict is retried without a warning', async () => {
    let tries = 0;
    const { env, loop, stop } = running(async () => {
      if (++tries === 1) throw errors.conflict({ group: '', kind: 'pods' }, 'changed');
      return undefined;
    });
    loop.add('a');
    await env.clock.advanceAsync(1000);
    assert.equal(tries, 2);
    assert.deepEqual(
      env.entries.map(({ level }) => level),
      ['debug'],
    );
    await stop();
  });

  it('keys that a full queue drops are added again when there is room', async () => {
    const all = Array.from({ length: 10 }, (_, i) => `k${i}`);
    const left = new Set(all);
    let refills = 0;
    const refill = (): void => {
      refills++;
      for (const key of left) loop.add(key);
    };
    const { env, loop, stop } = running(async (key) => void left.delete(key), { capacity: 4, refill });
    for (const key of all) loop.add(key);
    await settle();
    assert.deepEqual([...left], []);
    assert.ok(refills > 0);
    assert.ok(env.entries.some(({ msg }) => msg === 'the queue of a control loop is full'));
    await stop();
  });

  it('the loop ends at its deadline while work ignores its signal, and says that it does not end', async () => {
    const work = deferred();
    const { env, loop, stop } = running(async () => {
      await work.promise;
      return undefined;
    });
    loop.add('a');
    await settle();
    const stopped = stop();
    await env.clock.advanceAsync(10_000);
    await stopped;
    const entry = env.entries.find(({ msg }) => msg === 'a control loop does not end');
    assert.deepEqual([entry?.['queue'], entry?.['working']], ['test', 1]);
    work.resolve();
    await settle();
    assert.equal(env.clock.pending, 0);
  });

  it('work beyond its deadline is aborted and retried', async () => {
    let tries = 0;
    const { env, loop, stop } = running(
      async (_key, signal) => {
        if (++tries > 1) return undefined;
        await new Promise((_resolve, reject) => signal.addEventListener('abort', reject, { once: true }));
        return undefined;
      },
      { deadlineMs: 1000 },
    );
    loop.add('a');
    await env.clock.advanceAsync(1050);
    assert.equal(tries, 2);
    await stop();
  });

  it('one worker has a key at a time, an added key is processed after it, and delays are bounded, for seeds', async () => {
    for (let seed = 1; seed <= 200; seed++) await property(seed);
  });
});

describe('task at intervals', () => {
  it('each round begins an interval after the end of the one before, a failed one at most an interval after', async () => {
    const env = testEnv();
    const times: number[] = [];
    const stop = new AbortController();
    const round = async (): Promise<void> => {
      times.push(env.clock.monotonic());
      if (times.length === 2) throw new Error('no');
    };
    const options = {
      env,
      name: 'task',
      failed: 'the task failed',
      intervalMs: 1000,
      firstAfterMs: 300,
      round,
    };
    const ended = runRounds(options, stop.signal);
    await env.clock.advanceAsync(4300);
    assert.deepEqual(times.slice(0, 2), [300, 1300]);
    const [retried = 0, next] = times.slice(2);
    assert.ok(retried > 1300 && retried <= 2300, `the failed round was repeated at ${retried}`);
    assert.equal(next, retried + 1000);
    assert.deepEqual(
      env.entries.map(({ msg }) => msg),
      ['the task failed'],
    );
    stop.abort();
    await ended;
    assert.equal(env.clock.pending, 0);
  });
});

const FIRST_MS = 10;
const MAX_MS = 400;

/** Random adds, delays, failures and deadlines. Every add must be followed by work that began after it. */
async function property(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const env = testEnv({ seed });
  const working = new Set<string>();
  const owed = new Map<string, number>();
  const owe = (key: string, withinMs: number): void => {
    const due = env.clock.monotonic() + withinMs;
    owed.set(key, Math.min(owed.get(key) ?? Number.POSITIVE_INFINITY, due));
  };
  let isStorm = true;
  let lateMs = 0;
  let isTwice = false;
  const loop = new KeyLoop<string>({
    env,
    name: 'p',
    workers: 1 + random.int(4),
    failed: 'failed',
    retry: { firstMs: FIRST_MS, maxMs: MAX_MS },
    async reconcile(key) {
      isTwice ||= working.has(key);
      working.add(key);
      lateMs = Math.max(lateMs, env.clock.monotonic() - (owed.get(key) ?? Number.POSITIVE_INFINITY));
      owed.delete(key);
      await new Promise<void>((resolve) => void env.clock.schedule(random.int(20), resolve));
      working.delete(key);
      if (isStorm && random.int(3) === 0) {
        owe(key, MAX_MS);
        throw new Error('no');
      }
      if (!isStorm || random.int(4) !== 0) return undefined;
      const afterMs = random.int(100);
      owe(key, afterMs);
      return afterMs;
    },
  });
  const stop = new AbortController();
  const ended = loop.run(stop.signal);
  for (let i = 0; i < 60; i++) {
    const key = `k${random.int(6)}`;
    const delayMs = random.int(3) === 0 ? random.int(100) : 0;
    loop.addAfter(key, delayMs);
    owe(key, delayMs);
    if (random.int(2) === 0) await env.clock.advanceAsync(random.int(40));
  }
  isStorm = false;
  await env.clock.advanceAsync(5 * MAX_MS);
  assert.ok(!isTwice, `seed ${seed}: two workers had one key`);
  assert.deepEqual([...owed.keys()], [], `seed ${seed}: keys were lost`);
  // Six keys that take up to 20 ms each wait for at most one worker.
  assert.ok(lateMs <= 2 * 6 * 20, `seed ${seed}: a key waited for ${lateMs} ms`);
  stop.abort();
  await ended;
  assert.equal(env.clock.pending, 0, `seed ${seed}`);
}
