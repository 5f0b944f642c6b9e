import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testEnv } from '@orch/machinery/testing';
import {
  ForwardingStore,
  type KeyRange,
  ModelStore,
  type ScanOptions,
  type ScanPart,
  StoreError,
} from '@orch/storage';
import { everything, PREFIX, podsResource } from '../testing/fixture.ts';
import { Writer } from '../testing/writer.ts';
import { createWatchCache } from '../watch-cache.ts';

const names = ['configmaps', 'events', 'leases', 'pods', 'secrets'];
const all = { scope: { prefix: '' }, filter: everything };

/** Records scans and how many run concurrently, and calls a hook after the first part of each. */
class ParallelStore extends ForwardingStore {
  readonly scans: { readonly range: KeyRange; readonly at: number | undefined }[] = [];
  readonly revisions = new Set<number>();
  active = 0;
  most = 0;
  aborted = 0;
  /** Called when a scan has yielded its first part. */
  afterFirst: (scan: number) => Promise<void> = () => Promise.resolve();

  override async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<ScanPart> {
    const scan = this.scans.push({ range, at: options.at }) - 1;
    this.active += 1;
    this.most = Math.max(this.most, this.active);
    try {
      let isFirst = true;
      for await (const part of this.inner.scan(range, options, signal)) {
        this.revisions.add(part.rev);
        yield part;
        if (isFirst) await this.afterFirst(scan);
        isFirst = false;
      }
    } finally {
      this.active -= 1;
      if (signal.aborted) this.aborted += 1;
    }
  }
}

async function open() {
  const env = testEnv();
  const model = new ModelStore({ clock: env.clock });
  for (const name of names) {
    const writer = new Writer(model, name);
    for (let i = 0; i < 20; i++) await writer.put(`ns/${name}-${i}`);
  }
  const store = new ParallelStore(model);
  const resources = names.map((name) => podsResource(name));
  const cache = createWatchCache({
    store,
    prefix: PREFIX,
    resources,
    env,
    options: { digestMs: 0, pageBytes: 500 },
  });
  const stop = new AbortController();
  return { env, model, store, cache, stop };
}

describe('the initial load', () => {
  it('the initial load reads three key ranges in parallel, all at the revision of the first, while objects are written', async () => {
    const { model, store, cache, stop } = await open();
    const before = await model.currentRevision(stop.signal);
    store.afterFirst = async (scan) => {
      await new Writer(model, names[scan] ?? 'pods').put(`ns/late-${scan}`);
    };
    const run = cache.run(stop.signal);
    await cache.ready(stop.signal);
    assert.deepEqual(
      store.scans.map(({ at }) => at),
      [undefined, before, before],
    );
    assert.deepEqual([...store.revisions], [before]);
    assert.equal(store.most, 3);
    for (const name of names) {
      const page = await cache.resource(name)?.list(all, stop.signal);
      assert.ok((page?.objects.length ?? 0) >= 20, name);
    }
    stop.abort();
    await run;
    await model.close();
  });

  it('the initial load aborts the other key ranges when one of them fails, and restarts', async () => {
    const { env, model, store, cache, stop } = await open();
    let failures = 0;
    store.afterFirst = async (scan) => {
      if (scan !== 1) return;
      failures += 1;
      throw new StoreError('unavailable', 'the member went away');
    };
    const run = cache.run(stop.signal);
    const ready = cache.ready(stop.signal);
    for (let i = 0; i < 20; i++) await env.clock.advanceAsync(1000);
    await ready;
    assert.equal(failures, 1);
    assert.ok(store.aborted > 0);
    assert.equal(store.active, 0);
    assert.equal(cache.resource('pods')?.count(), 20);
    stop.abort();
    await run;
    await model.close();
  });
});
