import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MessageChannel, Worker } from 'node:worker_threads';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { seededRandom, settle } from '@orch/machinery/testing';
import { ModelStore, StoreError } from '@orch/storage';
import { everything, PREFIX, podsResource } from '../testing/fixture.ts';
import type { StateAnswer, StateRequest } from '../testing/follower-thread.ts';
import { UnrulyStore } from '../testing/unruly-store.ts';
import { paddingOf } from '../testing/whole-pods.ts';
import { Writer } from '../testing/writer.ts';
import { createWatchCache } from '../watch-cache.ts';
import { ObjectFeed } from './object-feed.ts';

const THREADS = 3;
const KEYS = 300;
const MEGABYTE = 1e6;
const SECONDS = Number(process.env['CACHE_STRESS_SECONDS'] ?? 2);

const LEAST_WRITTEN = 20 * MEGABYTE;

const answerOf = async (thread: Worker, request: StateRequest): Promise<StateAnswer> => {
  thread.postMessage(request);
  const [answer] = (await once(thread, 'message')) as [StateAnswer];
  return answer;
};

/** Writes pods of random sizes, and deletes some, until the time is over; the store forgets old revisions. */
async function write(writer: Writer, model: ModelStore, store: UnrulyStore): Promise<void> {
  const random = seededRandom(7);
  const never = new AbortController().signal;
  const until = performance.now() + SECONDS * 1000;
  let bytes = 0;
  for (let i = 1; performance.now() < until || bytes < LEAST_WRITTEN; i++) {
    const key = `ns${random.int(3)}/pod-${random.int(KEYS)}`;
    const length = 1 + random.int(random.int(10) === 0 ? 300_000 : 8000);
    bytes += length;
    if (random.int(20) === 0) await writer.delete(key);
    else
      await writer.put(key, {
        app: `app${random.int(9)}`,
        node: `node${random.int(9)}`,
        padding: paddingOf(key, i, length),
      });
    if (i % 20 === 0) await settle();
    if (i % 400 === 0) await model.compact((await model.currentRevision(never)) - 300, never);
    // The watch of the first thread fails now and then, for a short or a long time.
    store.down = i % 1500 > 1450;
  }
  store.down = false;
}

describe('threads that follow one watch cache', { timeout: 120_000 }, () => {
  it('every thread reads whole objects and all events in order', async () => {
    const env = { ...systemEnv(), log: silentLogger };
    const model = new ModelStore(env);
    const store = new UnrulyStore(model);
    const feed = new ObjectFeed();
    const stop = new AbortController();
    const options = { digestMs: 0, historyBytes: 256 * 1024, retryMs: 1 };
    const cache = createWatchCache({
      store,
      prefix: PREFIX,
      resources: [podsResource()],
      env,
      options,
      feed,
    });
    const running = cache.run(stop.signal);
    const threads = await Promise.all(
      Array.from({ length: THREADS }, async () => {
        const { port1, port2: followed } = new MessageChannel();
        feed.connect(port1);
        const program = new URL('../testing/follower-thread.ts', import.meta.url);
        const thread = new Worker(program, { workerData: { followed }, transferList: [followed] });
        await once(thread, 'message');
        return thread;
      }),
    );
    const writer = new Writer(model);
    await write(writer, model, store);
    const rev = await model.currentRevision(stop.signal);
    const answers = await Promise.all(threads.map((thread) => answerOf(thread, { rev })));
    const expected = writer.stateAt(rev, { prefix: '' }, everything);
    for (const { state, wrong, events, ended } of answers) {
      assert.deepEqual(wrong, []);
      assert.deepEqual(
        state,
        expected.map((object) => [object.key, object.rev]),
      );
      // A watch that has missed events ends.
      if (ended === 0) assert.equal(events, writer.changes.length);
    }
    await Promise.all(threads.map((thread) => thread.terminate()));
    stop.abort(new StoreError('closed', 'the test is over'));
    await running;
    await model.close();
  });

  it('slabs that no thread reads any more are freed', async () => {
    const program = fileURLToPath(new URL('../testing/slab-churn.ts', import.meta.url));
    const slabs = 300;
    // Without the options of a test process: its large heap would be collected too late.
    const { stdout } = await promisify(execFile)(process.execPath, [program, `${slabs}`]);
    assert.ok(
      Number(stdout) > 0 && Number(stdout) < 400 * MEGABYTE,
      `${stdout} bytes, ${slabs} slabs of 2 MB`,
    );
  });
});
