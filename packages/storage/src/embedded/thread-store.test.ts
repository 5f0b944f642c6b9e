import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, testEnv } from '@orch/machinery/testing';
import { failsWith } from '../conformance/fixture.ts';
import { describeStore } from '../conformance/index.ts';
import { WatchRecorder } from '../conformance/watch-recorder.ts';
import { prefixRange } from '../keys.ts';
import type { Store } from '../store.ts';
import { eventRevision } from '../store-values.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { type StartedWriter, WriterPorts } from '../thread-store.ts';
import { type EmbeddedStoreOptions, openEmbeddedStore } from './open-embedded-store.ts';
import { openThreadStore } from './open-thread-store.ts';
import { SharedWriterThread } from './writer/shared-writer-thread.ts';

/** A store that one thread has opened, and the store of another thread that is connected to it. */
async function open(options: Partial<EmbeddedStoreOptions> = {}) {
  const dir = await tempDir('orch-threads-');
  const env = testEnv();
  const abort = new AbortController();
  const ports = new WriterPorts();
  const started: StartedWriter[] = [];
  const onWriter = (writer: StartedWriter): void => {
    started.push(writer);
    ports.add(writer.connect());
  };
  const owner = await openEmbeddedStore({ dir: dir.path, env, onWriter, ...options });
  const [location] = started;
  assert.ok(location);
  const other = openThreadStore({ location, ports, env });
  // The port of an idle store does not keep a process running.
  const running = setInterval(() => undefined, 2 ** 30);
  return {
    owner,
    other,
    env,
    signal: abort.signal,
    advance: (ms: number) => env.clock.advance(ms),
    async [Symbol.asyncDispose]() {
      abort.abort();
      await other.close();
      await owner.close();
      clearInterval(running);
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Each call goes to another thread than the call before. */
function alternating(stores: readonly [Store, Store]): Store {
  let calls = 0;
  const next = (): Store => stores[calls++ % 2 === 0 ? 0 : 1];
  return {
    get: (...call) => next().get(...call),
    list: (...call) => next().list(...call),
    scan: (...call) => next().scan(...call),
    commit: (...call) => next().commit(...call),
    watch: (...call) => next().watch(...call),
    currentRevision: (...call) => next().currentRevision(...call),
    compact: (...call) => next().compact(...call),
    size: (...call) => next().size(...call),
    close: async () => {
      await stores[1].close();
      await stores[0].close();
    },
  };
}

const sharedWriter = new SharedWriterThread();

describeStore('embedded, from another thread', async () => {
  const opened = await open({ sharedWriter });
  return { ...opened, store: opened.other };
});

describeStore('embedded, from two threads in turn', async () => {
  const opened = await open({ sharedWriter });
  return { ...opened, store: alternating([opened.owner, opened.other]) };
});

const create = (key: string, value = 'x') => ({ op: 'create', key, value: Buffer.from(value) }) as const;
const program = (name: string) => new URL(`./testing/${name}.ts`, import.meta.url);

describe('the embedded store of several threads', () => {
  it('commits of several threads that wait at the same time are one transaction', async () => {
    await using opened = await open();
    const { owner, other, signal } = opened;
    await Promise.all([owner.commit(create('/a'), signal), other.commit(create('/b'), signal)]);
    const before = await owner.size(signal);
    for (let i = 0; i < 20; i += 1)
      await Promise.all([owner.commit(create(`/a${i}`), signal), other.commit(create(`/b${i}`), signal)]);
    const together = (await owner.size(signal)).bytes - before.bytes;
    for (let i = 0; i < 20; i += 1) {
      await owner.commit(create(`/c${i}`), signal);
      await other.commit(create(`/d${i}`), signal);
    }
    const apart = (await owner.size(signal)).bytes - before.bytes - together;
    assert.ok(together < 0.8 * apart, `${together} bytes of the log together, ${apart} one after the other`);
  });

  it('watches of all threads receive the commits of all threads in the same order', async () => {
    await using opened = await open();
    const { owner, other, signal } = opened;
    await using first = new WatchRecorder(owner, prefixRange('/'), { after: 1, signal });
    await using second = new WatchRecorder(other, prefixRange('/'), { after: 1, signal });
    const stores = [owner, other];
    await Promise.all(Array.from({ length: 200 }, (_, i) => stores[i % 2]?.commit(create(`/${i}`), signal)));
    const seen = await first.received(200);
    assert.deepEqual(
      seen.map(eventRevision),
      seen.map((_, i) => i + 2),
    );
    assert.deepEqual(await second.received(200), seen);
  });

  it('another thread uses the writer that replaces one which has ended, and its watches stay complete', async () => {
    await using opened = await open({ workerUrl: program('dying-writer') });
    const { owner, other, env, signal } = opened;
    await using watch = new WatchRecorder(other, prefixRange('/'), { after: 1, signal });
    await other.commit(create('/a'), signal);
    await assert.rejects(owner.commit(create('/b', 'die-before'), signal), failsWith('outcomeUnknown'));
    await settle();
    await assert.rejects(other.commit(create('/c'), signal), failsWith('unavailable'));
    env.clock.advance(1000);
    await other.commit(create('/c'), signal);
    await owner.commit(create('/d'), signal);
    const events = await watch.received(3);
    assert.deepEqual(
      events.map((event) => (event.type === 'put' ? event.kv.key : '')),
      ['/a', '/c', '/d'],
    );
  });

  it('a full store refuses the writes of all threads, and each of them reports it', async () => {
    await using opened = await open({ maxBytes: 512 * 1024 });
    const { owner, other, signal } = opened;
    const value = 'v'.repeat(4096);
    const fill = async (): Promise<void> => {
      for (let i = 0; i < 10_000; i += 1) await owner.commit(create(`/${i}`, value), signal);
    };
    await assert.rejects(fill(), failsWith('full'));
    await assert.rejects(other.commit(create('/other', value), signal), failsWith('full'));
    assert.match((await other.size(signal)).full ?? '', /full/);
  });

  it('a key that another thread has written expires', async () => {
    await using opened = await open();
    const { other, env, signal } = opened;
    await other.commit({ ...create('/short'), ttlSeconds: 5 }, signal);
    await using watch = new WatchRecorder(other, prefixRange('/'), { after: 2, signal });
    env.clock.advance(5000);
    assert.deepEqual((await watch.received(1)).map(eventRevision), [3]);
  });
});
