/**
 * Memory of a further thread for each object: the growth of its heap after a collection, by the number of pods that the first thread
 * has in shared memory. `[count]`, default 90,000.
 */
import { once } from 'node:events';
import { getHeapStatistics, queryObjects } from 'node:v8';
import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  parentPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { FeedReader } from '../src/feed/feed-reader.ts';
import { ObjectFeed } from '../src/feed/object-feed.ts';
import { createWatchCache } from '../src/watch-cache.ts';
import { PREFIX, pods } from './pods.ts';
import { syntheticStore } from './synthetic-store.ts';

const FEW = 30_000;
const options = { digestMs: 0 };
const env = systemEnv({ log: silentLogger });
/** Counting the instances of a class frees everything that nothing refers to, also compiled code. */
const collect = (): unknown => queryObjects(FeedReader, { format: 'count' });

/** Bytes of the heap of a thread that follows a cache with a number of pods. */
async function heapWith(count: number): Promise<number> {
  const feed = new ObjectFeed();
  const stop = new AbortController();
  const resources = [pods];
  const cache = createWatchCache({
    store: syntheticStore(count),
    prefix: PREFIX,
    resources,
    env,
    options,
    feed,
  });
  const running = cache.run(stop.signal);
  await cache.ready(stop.signal);
  const { port1, port2: followed } = new MessageChannel();
  feed.connect(port1);
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { followed, count },
    transferList: [followed],
  });
  const [bytes] = (await once(worker, 'message')) as [number];
  await worker.terminate();
  stop.abort(new Error('measured'));
  await running;
  return bytes;
}

async function follow(port: MessagePort, followed: MessagePort, count: number): Promise<void> {
  const { signal } = new AbortController();
  const store = syntheticStore(1);
  const cache = createWatchCache({ store, prefix: PREFIX, resources: [pods], env, options, followed });
  void cache.run(signal);
  await cache.ready(signal);
  if (cache.resource('pods')?.count() !== count) throw new Error('pods are missing');
  collect();
  port.postMessage(getHeapStatistics().used_heap_size);
}

if (isMainThread) {
  const count = Number(process.argv[2] ?? 90_000);
  const few = await heapWith(FEW);
  const many = await heapWith(count);
  const bytesPerPod = Math.round(((many - few) / (count - FEW)) * 10) / 10;
  console.log(JSON.stringify({ bench: 'cache-thread-memory', pods: count, bytesPerPod, few, many }));
} else if (parentPort !== null) {
  const { followed, count } = workerData as { followed: MessagePort; count: number };
  await follow(parentPort, followed, count);
}
