/**
 * The cost of an event for each thread of a process: CPU that each further thread adds to the first one, and CPU of a further thread
 * itself, by the number of events that arrive at a time.
 */
import { once } from 'node:events';
import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  parentPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { settle } from '@orch/machinery/testing';
import { ModelStore, StoreError } from '@orch/storage';
import { ObjectFeed } from '../src/feed/object-feed.ts';
import { PREFIX, podsResource } from '../src/testing/fixture.ts';
import { createWatchCache } from '../src/watch-cache.ts';

const PODS = 1000;
const WARM_UP = 4000;
const EVENTS = 20_000;
const PADDING = 'x'.repeat(800);
const options = { digestMs: 0 };
const env = { ...systemEnv(), log: silentLogger };

const micros = ({ user, system }: NodeJS.CpuUsage): number => user + system;
const round = (value: number): number => Math.round(value * 100) / 100;

/** Updates pods in turn, a number of them at a time; returns the revision of the last one. */
async function update(
  store: ModelStore,
  revisions: number[],
  events: number,
  atATime: number,
): Promise<number> {
  const never = new AbortController().signal;
  for (let i = 0; i < events; i++) {
    const at = i % PODS;
    const pod = {
      metadata: { name: `pod-${at}`, namespace: 'default', labels: { app: `app-${at % 10}` } },
      spec: { nodeName: `node-${at % 50}`, padding: `${PADDING}${i}` },
    };
    const key = `${PREFIX}pods/default/pod-${at}`;
    const value = Buffer.from(JSON.stringify(pod));
    const before = revisions[at];
    const done = await store.commit(
      before === undefined ? { op: 'create', key, value } : { op: 'update', key, value, expected: before },
      never,
    );
    if (!done.ok) throw new Error(`a write of ${key} failed`);
    revisions[at] = done.rev;
    if (i % atATime === atATime - 1) await settle();
  }
  return Math.max(...revisions);
}

interface Cost {
  readonly first: number;
  readonly further: number;
}

async function measure(threads: number, atATime: number): Promise<Cost> {
  const store = new ModelStore(env);
  const feed = new ObjectFeed();
  const stop = new AbortController();
  const cache = createWatchCache({ store, prefix: PREFIX, resources: [podsResource()], env, options, feed });
  const running = cache.run(stop.signal);
  await cache.ready(stop.signal);
  const workers = await Promise.all(
    Array.from({ length: threads }, async () => {
      const { port1, port2: followed } = new MessageChannel();
      feed.connect(port1);
      const worker = new Worker(new URL(import.meta.url), {
        workerData: { followed },
        transferList: [followed],
      });
      await once(worker, 'message');
      return worker;
    }),
  );
  const reached = async (rev: number): Promise<readonly number[]> =>
    await Promise.all(
      workers.map(async (worker) => {
        worker.postMessage(rev);
        const [used] = (await once(worker, 'message')) as [number];
        return used;
      }),
    );
  const revisions: number[] = [];
  const before = await reached(await update(store, revisions, WARM_UP, atATime));
  const start = process.threadCpuUsage();
  const last = await update(store, revisions, EVENTS, atATime);
  const first = micros(process.threadCpuUsage(start)) / EVENTS;
  const after = await reached(last);
  const used = after.map((micro, i) => (micro - (before[i] ?? 0)) / EVENTS);
  await Promise.all(workers.map((worker) => worker.terminate()));
  stop.abort(new StoreError('closed', 'measured'));
  await running;
  return { first, further: used.reduce((sum, one) => sum + one, 0) / Math.max(1, threads) };
}

async function follow(port: MessagePort, followed: MessagePort): Promise<void> {
  const { signal } = new AbortController();
  const resources = [podsResource()];
  const cache = createWatchCache({
    store: new ModelStore(env),
    prefix: PREFIX,
    resources,
    env,
    options,
    followed,
  });
  void cache.run(signal);
  await cache.ready(signal);
  port.on('message', async (rev: number) => {
    while (cache.revision() < rev) await settle();
    port.postMessage(micros(process.threadCpuUsage()));
  });
  port.postMessage('ready');
}

if (isMainThread)
  for (const atATime of [1, 16]) {
    const [none, one, three] = [
      await measure(0, atATime),
      await measure(1, atATime),
      await measure(3, atATime),
    ];
    console.log(
      JSON.stringify({
        bench: 'cache-threads',
        eventsAtATime: atATime,
        firstThreadAloneUs: round(none.first),
        firstThreadForOneMoreUs: round((three.first - one.first) / 2),
        furtherThreadUs: round(one.further),
      }),
    );
  }
else if (parentPort !== null) await follow(parentPort, workerData.followed as MessagePort);
