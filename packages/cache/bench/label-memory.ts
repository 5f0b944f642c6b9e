/**
 * Memory of the index of a label for each object that has it: the growth of the heap after a collection, when lists by the label have
 * made its index. `[count]`, default 100,000.
 */
import { setImmediate as nextIteration } from 'node:timers/promises';
import { getHeapStatistics, queryObjects } from 'node:v8';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import type { ObjectFilter } from '../src/index.ts';
import { createWatchCache } from '../src/index.ts';
import { PREFIX, pods } from './pods.ts';
import { syntheticStore } from './synthetic-store.ts';

const MOST_LISTS = 1000;

const [label, value] = ['app', 'app-42'];
const filter: ObjectFilter = {
  fieldEquals: [],
  labelEquals: [{ label, value }],
  everything: false,
  matchesLabels: (labels) => labels[label] === value,
  matchesFields: () => true,
};
const count = Number(process.argv[2] ?? 100_000);
const stop = new AbortController();
const env = systemEnv({ log: silentLogger });
const cache = createWatchCache({
  store: syntheticStore(count),
  prefix: PREFIX,
  resources: [pods],
  env,
  options: { digestMs: 0 },
});
const running = cache.run(stop.signal);
await cache.ready(stop.signal);

/** Counting the instances of a class frees everything that nothing refers to. */
function heapBytes(): number {
  queryObjects(AbortController, { format: 'count' });
  return getHeapStatistics().used_heap_size;
}

/** Lists by the label; whether lists have used its index. */
async function isMade(): Promise<boolean> {
  await cache.resource('pods')?.list({ scope: { prefix: '' }, filter }, stop.signal);
  return env.metrics.text().includes('index="metadata.labels"');
}

const before = heapBytes();
let lists = 1;
while (!(await isMade())) {
  if (lists === MOST_LISTS) throw new Error('lists by the label made no index');
  lists += 1;
  await nextIteration();
}
const bytesPerObject = Math.round(((heapBytes() - before) / count) * 10) / 10;
console.log(JSON.stringify({ bench: 'cache-label-memory', objects: count, bytesPerObject, lists }));
stop.abort(new Error('measured'));
await running;
