import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { testEnv } from '@orch/machinery/testing';
import { ModelStore, StoreError } from '@orch/storage';
import { ObjectFeed } from './feed/object-feed.ts';
import { everything, PREFIX, podsResource } from './testing/fixture.ts';
import { Writer } from './testing/writer.ts';
import type { ResourceCache, WatchCache } from './types.ts';
import { createWatchCache, type ThreadLinks } from './watch-cache.ts';

/** The feeds of a cache to another one, for each store. */
interface Feeds {
  readonly main: ThreadLinks;
  readonly other: ThreadLinks;
}

/** A running cache of pods in the main store, and of leases and, once added, widgets in another one. */
class Joined implements AsyncDisposable {
  readonly env = testEnv({ seed: 1 });
  readonly main = new ModelStore({ clock: this.env.clock });
  readonly other = new ModelStore({ clock: this.env.clock });
  readonly stop = new AbortController();
  readonly signal = new AbortController().signal;
  readonly cache: WatchCache;
  readonly run: Promise<void>;

  constructor({ main, other }: Feeds = { main: {}, other: {} }) {
    this.cache = createWatchCache({
      store: this.main,
      prefix: PREFIX,
      routes: [{ store: this.other, prefixes: [`${PREFIX}leases/`, `${PREFIX}widgets/`], ...other }],
      resources: ['pods', 'leases'].map((name) => podsResource(name)),
      env: this.env,
      options: { digestMs: 0 },
      ...main,
    });
    this.run = this.cache.run(this.stop.signal);
  }

  resource(name: string): ResourceCache {
    const found = this.cache.resource(name);
    assert.ok(found);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort();
    await this.run.catch(() => undefined);
  }
}

describe('the watch cache of several stores', () => {
  it('a resource has the objects and the revision of its store', async () => {
    await using f = new Joined();
    const pods = new Writer(f.main);
    for (const name of ['a', 'b', 'c']) await pods.put(`ns/${name}`);
    const rev = await new Writer(f.other, 'leases').put('ns/a');
    await f.cache.ready(f.signal);
    for (const name of ['pods', 'leases']) await f.resource(name).waitFresh({ kind: 'mostRecent' }, f.signal);
    assert.equal(f.resource('pods').count(), 3);
    const page = await f
      .resource(`${PREFIX}leases/`)
      .list({ scope: { prefix: '' }, filter: everything }, f.signal);
    assert.deepEqual([page.objects.length, page.rev], [1, rev]);
    assert.deepEqual(
      f.cache.figures().map(({ resource, objects }) => [resource, objects]),
      [
        ['pods', 3],
        ['leases', 1],
      ],
    );
    assert.equal((await f.cache.verify(f.signal)).compared, 4);
    const text = f.env.metrics.text();
    const bytes = /watch_cache_bytes\{kind="objects"\} (\d+)/.exec(text)?.[1];
    assert.equal(
      Number(bytes),
      f.cache.figures().reduce((sum, figures) => sum + figures.bytes, 0),
    );
  });

  it('a resource that is added is read from its store, and removed again', async () => {
    await using f = new Joined();
    await new Writer(f.other, 'widgets').put('ns/w');
    await f.cache.ready(f.signal);
    const added = await f.cache.addResource(podsResource('widgets'), f.signal);
    assert.equal(added.count(), 1);
    f.cache.removeResource('widgets');
    assert.equal(f.cache.resource('widgets'), undefined);
  });

  it('a store that does not answer delays no read of another one', async () => {
    await using f = new Joined();
    await f.cache.ready(f.signal);
    f.other.currentRevision = () => Promise.reject(new StoreError('unavailable', 'down'));
    await f.resource('pods').waitFresh({ kind: 'mostRecent' }, f.signal);
    await assert.rejects(f.resource('leases').waitFresh({ kind: 'mostRecent' }, f.signal), {
      code: 'unavailable',
    });
  });

  it('the cache of a further thread has the objects of each store by the feed of that store', async () => {
    const feeds = { main: new ObjectFeed(), other: new ObjectFeed() };
    await using first = new Joined({ main: { feed: feeds.main }, other: { feed: feeds.other } });
    const follow = (feed: ObjectFeed): ThreadLinks => {
      const { port1, port2 } = new MessageChannel();
      feed.connect(port1);
      return { followed: port2 };
    };
    // The stores of the further thread have no events of their own.
    await using further = new Joined({ main: follow(feeds.main), other: follow(feeds.other) });
    await further.cache.ready(further.signal);
    const [pods, leases] = [new Writer(first.main), new Writer(first.other, 'leases')];
    for (const name of ['a', 'b', 'c']) await pods.put(`ns/${name}`);
    for (const [name, rev] of [
      ['pods', await pods.put('ns/d')],
      ['leases', await leases.put('ns/a')],
    ] as const) {
      const resource = further.resource(name);
      await resource.waitFresh({ kind: 'notOlderThan', rev }, further.signal);
      assert.equal(resource.revision(), rev);
    }
    assert.deepEqual([further.resource('pods').count(), further.resource('leases').count()], [4, 1]);
  });

  it('the cache ends when that of one store ends with an error', async () => {
    await using f = new Joined();
    await f.cache.ready(f.signal);
    const ended = assert.rejects(f.run, { code: 'closed' });
    await f.other.close();
    await ended;
  });
});
