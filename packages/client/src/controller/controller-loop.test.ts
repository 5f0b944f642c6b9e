import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errors } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';
import { settle, type TestEnv, testEnv } from '@orch/machinery/testing';
import { controller } from './controller.ts';
import { controllerLoop, type LoopOptions } from './controller-loop.ts';
import { runControllers } from './run-controllers.ts';
import type { Reconciled, Source } from './types.ts';

/** A source whose keys a test adds. */
interface HandSource extends Source<string> {
  add(key: string, delayMs?: number): void;
  runs: number;
}

function handSource(initial: readonly string[] = []): HandSource {
  let adder: ((key: string, delayMs?: number) => void) | undefined;
  return {
    runs: 0,
    add(key, delayMs) {
      adder?.(key, delayMs);
    },
    async run(add, signal) {
      this.runs++;
      adder = add;
      for (const key of initial) add(key);
      await aborted(signal);
    },
    synced: async () => undefined,
  };
}

interface Running {
  readonly env: TestEnv;
  readonly source: HandSource;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  readonly loop: ReturnType<typeof controllerLoop>;
}

type Reconcile = (key: string, signal: AbortSignal) => Promise<Reconciled | undefined>;

async function running(
  reconcile: Reconcile,
  options: LoopOptions & { initial?: readonly string[]; concurrency?: number; deadlineMs?: number } = {},
): Promise<Running> {
  const { initial, concurrency = 1, deadlineMs = 60_000, ...loopOptions } = options;
  const env = testEnv();
  const source = handSource(initial);
  const stop = new AbortController();
  const made = controller({ name: 'test', sources: [source], concurrency, deadlineMs, reconcile });
  const loop = controllerLoop(env, made, loopOptions);
  const ended = loop.run(stop.signal);
  await settle();
  return { env, source, stop, ended, loop };
}

const nothing = undefined;

describe('controller loops', () => {
  it('a controller reconciles existing and added keys, and requeued keys later', async () => {
    const seen: string[] = [];
    const test = await running(
      async (key) => {
        seen.push(key);
        return key === 'again' && seen.length < 4 ? { requeueAfterMs: 1000 } : nothing;
      },
      { initial: ['a', 'again'] },
    );
    test.source.add('b');
    await settle();
    assert.deepEqual(seen, ['a', 'again', 'b']);
    await test.env.clock.advanceAsync(1000);
    assert.deepEqual(seen, ['a', 'again', 'b', 'again']);
    test.stop.abort();
    await test.ended;
    assert.equal(test.env.clock.pending, 0);
  });

  it('a requeue after a time that is not finite counts as a failure and stops no other key', async () => {
    for (const requeueAfterMs of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const seen: string[] = [];
      const test = await running(async (key) => {
        seen.push(key);
        return { requeueAfterMs: key === 'bad' ? requeueAfterMs : 1000 };
      });
      for (const key of ['good', 'bad', 'other']) test.source.add(key);
      await test.env.clock.advanceAsync(3000);
      const count = (name: string): number => seen.filter((key) => key === name).length;
      assert.deepEqual([count('good'), count('other')], [4, 4]);
      assert.ok(count('bad') > 4, 'it is retried with backoff');
      const warned = test.env.entries
        .filter(({ key }) => key === 'bad')
        .map(({ error }) => JSON.stringify(error));
      assert.match(warned[0] ?? '', /requeueAfterMs: must be a finite number/);
      test.stop.abort();
      await test.ended;
    }
  });

  for (const [title, error, level, result] of [
    ['a failed reconciliation is retried with growing delays and logged', new Error('no'), 'warn', 'error'],
    [
      'a conflict is retried without a warning',
      errors.conflict({ group: '', kind: 'pods' }, 'changed'),
      'debug',
      'conflict',
    ],
  ] as const) {
    it(title, async () => {
      const times: number[] = [];
      const test = await running(async () => {
        times.push(test?.env.clock.monotonic() ?? 0);
        if (times.length < 4) throw error;
        return nothing;
      });
      test.source.add('a');
      await test.env.clock.advanceAsync(1000);
      assert.deepEqual(times, [0, 5, 15, 35]);
      const levels = test.env.entries.filter(({ key }) => key === 'a').map((entry) => entry['level']);
      assert.deepEqual(levels, [level, level, level]);
      const text = test.env.metrics.text();
      assert.ok(text.includes(`controller_reconcile_total{controller="test",result="${result}"} 3\n`), text);
      assert.ok(text.includes('controller_reconcile_total{controller="test",result="success"} 1\n'), text);
      const failures = result === 'error' ? 3 : 0;
      assert.ok(text.includes(`controller_reconcile_errors_total{controller="test"} ${failures}\n`), text);
      test.stop.abort();
      await test.ended;
    });
  }

  it('a controller reconciles up to its concurrency, and no key twice at the same time', async () => {
    const open: { key: string; end: () => void }[] = [];
    const test = await running(
      (key) => new Promise((resolve) => open.push({ key, end: () => resolve(nothing) })),
      { initial: ['a', 'b', 'c'], concurrency: 2 },
    );
    test.source.add('a');
    await settle();
    assert.deepEqual(
      open.map(({ key }) => key),
      ['a', 'b'],
    );
    open[1]?.end();
    await settle();
    assert.deepEqual(
      open.map(({ key }) => key),
      ['a', 'b', 'c'],
    );
    open[0]?.end();
    await settle();
    assert.deepEqual(
      open.map(({ key }) => key),
      ['a', 'b', 'c', 'a'],
    );
    test.stop.abort();
    for (const { end } of open) end();
    await test.ended;
  });

  it('a reconciliation beyond its deadline is aborted, counts as a failure and is retried', async () => {
    let tries = 0;
    const test = await running(
      async (_, signal) => {
        tries++;
        if (tries > 1) return nothing;
        await aborted(signal);
        throw signal.reason;
      },
      { initial: ['a'], deadlineMs: 5000 },
    );
    await test.env.clock.advanceAsync(6000);
    assert.equal(tries, 2);
    assert.match(
      test.env.metrics.text(),
      /controller_reconcile_total\{controller="test",result="timeout"\} 1\n/,
    );
    test.stop.abort();
    await test.ended;
  });

  it('work that continues after its abort is logged, and its key is not reconciled again meanwhile', async () => {
    let tries = 0;
    let end = (): void => undefined;
    const test = await running(
      async () => {
        tries++;
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        return nothing;
      },
      { initial: ['a'], deadlineMs: 5000 },
    );
    test.source.add('a');
    await test.env.clock.advanceAsync(60_000);
    assert.equal(tries, 1);
    assert.ok(test.env.entries.some(({ msg }) => msg === 'work continues after its signal was aborted'));
    end();
    await settle();
    assert.equal(tries, 2);
    test.stop.abort();
    end();
    await test.ended;
  });

  it('reconciliation starts when all sources have synced, and pending sources are logged', async () => {
    const env = testEnv();
    const ready = Promise.withResolvers<void>();
    const seen: string[] = [];
    const source = { ...handSource(['a']), synced: () => ready.promise };
    const loop = controllerLoop(
      env,
      controller({
        name: 'test',
        sources: [source],
        reconcile: async (key) => void seen.push(key) as undefined,
      }),
    );
    const stop = new AbortController();
    const ended = loop.run(stop.signal);
    await env.clock.advanceAsync(10_000);
    assert.deepEqual([seen, loop.isSynced], [[], false]);
    assert.deepEqual(
      env.entries.filter(({ msg }) => msg === 'waiting for sources').map(({ waiting, of }) => [waiting, of]),
      [[1, 1]],
    );
    ready.resolve();
    await settle();
    assert.deepEqual([seen, loop.isSynced], [['a'], true]);
    stop.abort();
    await ended;
    assert.deepEqual([loop.isSynced, env.clock.pending], [false, 0]);
  });

  it('the sources run again after keys were dropped because of a full queue', async () => {
    const initial = Array.from({ length: 10 }, (_, i) => `k${i}`);
    const seen = new Set<string>();
    const test = await running(async (key) => void seen.add(key) as undefined, { initial, capacity: 4 });
    await test.env.clock.advanceAsync(1000);
    // Each round takes as many as there is room for; a queue that is worked off has room for others.
    assert.ok(seen.size >= 4);
    assert.ok(test.source.runs >= 2);
    assert.ok(test.env.entries.some(({ msg }) => msg === 'the queue was full, the sources run again'));
    test.stop.abort();
    await test.ended;
  });

  it('a source that fails or ends runs again', async () => {
    const env = testEnv();
    let runs = 0;
    const source: Source<string> = {
      async run(add) {
        if (++runs === 1) throw new Error('broken');
        add(`run${runs}`);
      },
      synced: async () => undefined,
    };
    const seen: string[] = [];
    const stop = new AbortController();
    const made = controller({
      name: 'test',
      sources: [source],
      reconcile: async (key) => void seen.push(key) as undefined,
    });
    const ended = runControllers(env, [made], {}, stop.signal);
    await env.clock.advanceAsync(2500);
    assert.deepEqual([seen, runs], [['run2', 'run3'], 3]);
    stop.abort();
    await ended;
  });

  it('no reconciliation starts when mayWork is false, and the loop can run again', async () => {
    let may = true;
    const seen: string[] = [];
    const test = await running(async (key) => void seen.push(key) as undefined, {
      initial: ['a'],
      mayWork: () => may,
    });
    assert.deepEqual(seen, ['a']);
    may = false;
    test.source.add('b');
    await settle();
    assert.deepEqual(seen, ['a']);
    test.stop.abort();
    await test.ended;
    may = true;
    const again = new AbortController();
    const ended = test.loop.run(again.signal);
    await settle();
    assert.deepEqual(seen, ['a', 'a']);
    again.abort();
    await ended;
  });

  it('all controllers end with the error of one that cannot start', async () => {
    const env = testEnv();
    const broken: Source<string> = {
      run: (_, signal) => aborted(signal),
      synced: async () => {
        throw new Error('no such resource');
      },
    };
    const nothingToDo = async (): Promise<undefined> => undefined;
    const controllers = [
      controller({ name: 'good', sources: [handSource()], reconcile: nothingToDo }),
      controller({ name: 'bad', sources: [broken], reconcile: nothingToDo }),
    ];
    await assert.rejects(
      runControllers(env, controllers, {}, new AbortController().signal),
      /no such resource/,
    );
    assert.equal(env.clock.pending, 0);
  });

  for (const [title, parts, error = TypeError] of [
    ['an invalid name', { name: 'No Name' }],
    ['no source', { sources: [] }],
    ['half a worker', { concurrency: 0.5 }],
    ['a deadline of zero', { deadlineMs: 0 }, RangeError],
    ['a deadline without an end', { deadlineMs: Number.POSITIVE_INFINITY }, RangeError],
  ] as const) {
    it(`a controller with ${title} is rejected`, () => {
      const definition = { name: 'ok', sources: [handSource()], reconcile: async () => undefined, ...parts };
      assert.throws(() => controller(definition), error);
    });
  }
});
