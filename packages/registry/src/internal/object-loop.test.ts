import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { settle } from '@orch/machinery/testing';
import { ForwardingStore, type Store, type WatchBatch } from '@orch/storage';
import { createRegistry, type ServerContext } from '../index.ts';
import { noConnections, RegistryFixture, servedParts } from '../testing/index.ts';
import type { InternalResource } from './internal-resource.ts';
import { ObjectLoop, type ObjectLoopOptions } from './object-loop.ts';

const { signal } = new AbortController();

/** A store whose watches can fail, so that a cache loses events. */
class LosingEvents extends ForwardingStore {
  isDown = false;

  override async *watch(...[range, after, until]: Parameters<Store['watch']>): AsyncIterable<WatchBatch> {
    for await (const batch of super.watch(range, after, until)) {
      if (this.isDown) throw new Error('the store is away');
      yield batch;
    }
  }

  override scan(...parts: Parameters<Store['scan']>): ReturnType<Store['scan']> {
    if (this.isDown) throw new Error('the store is away');
    return super.scan(...parts);
  }
}

interface Served extends AsyncDisposable {
  readonly fixture: RegistryFixture;
  readonly store: LosingEvents;
  readonly classes: InternalResource;
  readonly namespaces: InternalResource;
  readonly seen: string[];
  /** Runs a loop over the priority classes until the end of the test, and records the keys that it reconciles. */
  run(options?: Partial<ObjectLoopOptions>): ObjectLoop;
  stop(): Promise<void>;
}

async function served(): Promise<Served> {
  let internal: ServerContext | undefined;
  let store: LosingEvents | undefined;
  const wrap = (inner: Store): Store => {
    store = new LosingEvents(inner);
    return store;
  };
  const fixture = await RegistryFixture.assembled({ wrap }, (options) => {
    const registry = createRegistry({ ...options, connector: noConnections });
    internal = registry.internal;
    return servedParts(registry);
  });
  const classes = internal?.objects.resource('scheduling', 'priorityclasses');
  const namespaces = internal?.objects.resource('', 'namespaces');
  assert.ok(store !== undefined && classes !== undefined && namespaces !== undefined);
  const seen: string[] = [];
  const stopping = new AbortController();
  const running: Promise<void>[] = [];
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('the test is over'));
    await Promise.all(running);
  };
  return {
    fixture,
    store,
    classes,
    namespaces,
    seen,
    run(options) {
      const loop = new ObjectLoop({
        env: fixture.env,
        name: 'test',
        resource: classes,
        workers: 2,
        failed: 'a class could not be reconciled',
        reconcile: async (key) => void seen.push(key) as undefined,
        ...options,
      });
      running.push(loop.run(stopping.signal));
      return loop;
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

async function create(resource: InternalResource, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const fresh: ApiObject = { ...resource.typeMeta, metadata: {}, value: 1 };
    assert.equal(await resource.create({ namespace: '', name }, fresh, signal), true);
  }
}

describe('control loop of the server', () => {
  it('objects are reconciled when the loop starts, and after each change', async () => {
    await using test = await served();
    await create(test.classes, 'a');
    await test.fixture.settled();
    test.run();
    await settle();
    assert.deepEqual(test.seen, ['a']);
    await create(test.classes, 'b');
    await test.classes.delete({ namespace: '', name: 'a' }, signal);
    await test.fixture.settled();
    await settle();
    assert.deepEqual(test.seen, ['a', 'b', 'a']);
  });

  it('objects are reconciled after the first load when the loop runs before it', async () => {
    await using first = await served();
    const stopping = new AbortController();
    const seen: string[] = [];
    let running: Promise<void> | undefined;
    await using second = await RegistryFixture.assembled({ store: first.fixture.model }, (options) => {
      const registry = createRegistry({ ...options, connector: noConnections });
      const loop = new ObjectLoop({
        env: options.env,
        name: 'test',
        resource: registry.internal.objects.resource('', 'namespaces'),
        workers: 2,
        failed: 'a namespace could not be reconciled',
        reconcile: async (key) => void seen.push(key) as undefined,
      });
      running = loop.run(stopping.signal);
      return servedParts(registry);
    });
    await settle();
    const { namespaces } = second.names;
    assert.deepEqual(seen.sort(), Object.values(namespaces).sort());
    stopping.abort();
    await running;
  });

  it('an object that the loop does not include is not reconciled', async () => {
    await using test = await served();
    test.run({ includes: (key) => key !== 'a' });
    await create(test.classes, 'a', 'b');
    await test.fixture.settled();
    await settle();
    assert.deepEqual(test.seen, ['b']);
  });

  it('a change of a related object reconciles the objects that it affects', async () => {
    await using test = await served();
    test.run({ related: [{ resource: test.namespaces, keysOf: (key) => [`class-of-${key}`] }] });
    await create(test.namespaces, 'n');
    await test.fixture.settled();
    await settle();
    assert.deepEqual(test.seen, ['class-of-n']);
  });

  it('all objects, and those that the loop knows, are reconciled after the cache lost events', async () => {
    await using test = await served();
    await create(test.classes, 'a', 'gone');
    await test.fixture.settled();
    test.run({ known: () => ['gone'] });
    await settle();
    test.seen.length = 0;
    test.store.isDown = true;
    await test.classes.delete({ namespace: '', name: 'gone' }, signal);
    await settle();
    await create(test.classes, 'late');
    const { model, env } = test.fixture;
    await model.compact(await model.currentRevision(signal), signal);
    test.store.isDown = false;
    await env.clock.advanceAsync(30_000);
    await test.fixture.settled();
    await settle();
    assert.deepEqual([...new Set(test.seen)].sort(), ['a', 'gone', 'late']);
  });

  it('the lease runs as long as the loop', async () => {
    await using test = await served();
    const { clock } = test.fixture.env;
    let hasEnded = false;
    test.run({
      lease: {
        async run(until) {
          await sleep(clock, 1_000_000, until).catch(() => undefined);
          hasEnded = true;
        },
      },
    });
    await settle();
    assert.equal(hasEnded, false);
    await test.stop();
    assert.equal(hasEnded, true);
  });

  it('a stopped loop follows no objects', async () => {
    await using test = await served();
    test.run();
    await settle();
    await test.stop();
    await create(test.classes, 'a');
    await test.fixture.settled();
    await settle();
    assert.deepEqual(test.seen, []);
  });

  it('the queue of the loop has the metrics of work queues', async () => {
    await using test = await served();
    test.run({ name: 'priority_classes' });
    await create(test.classes, 'a');
    await test.fixture.settled();
    await settle();
    const text = test.fixture.env.metrics.text();
    for (const line of [
      'workqueue_adds_total{name="priority_classes"} 1',
      'workqueue_depth{name="priority_classes"} 0',
      'workqueue_retries_total{name="priority_classes"} 0',
      'workqueue_queue_duration_seconds_count{name="priority_classes"} 1',
      'workqueue_work_duration_seconds_count{name="priority_classes"} 1',
    ])
      assert.ok(text.includes(`${line}\n`), line);
  });
});
