/** Memory of a cache of pods: the growth of the heap, the slabs and the process. `[count]`, default 10,000. */
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { createWatchCache, itemsLength } from '../src/index.ts';
import { PREFIX, podBytes, pods } from './pods.ts';
import { syntheticStore } from './synthetic-store.ts';

const count = Number(process.argv[2] ?? 10_000);
const MB = 1e6;
const round = (bytes: number): number => Math.round((bytes / MB) * 10) / 10;
const collect = (): void => globalThis.gc?.();

for (let n = 0; n < 500; n++) podBytes(n);
collect();
const before = process.memoryUsage();
const env = systemEnv({ log: silentLogger });
const stop = new AbortController();
const cache = createWatchCache({
  store: syntheticStore(count),
  prefix: PREFIX,
  resources: [pods],
  env,
  options: { digestMs: 0 },
});
const start = performance.now();
const run = cache.run(stop.signal);
await cache.ready(stop.signal);
const loadMs = performance.now() - start;
const loadedAt = process.memoryUsage();
collect();
await new Promise((resolve) => setTimeout(resolve, 200));
collect();
const after = process.memoryUsage();
const page = await cache.resource('pods')?.list(
  {
    scope: { prefix: '' },
    filter: { fieldEquals: [], everything: true, matchesFields: () => true, matchesLabels: () => true },
  },
  stop.signal,
);
const wire = itemsLength(page?.objects ?? []);
const slabs = Number(/watch_cache_bytes\{kind="slabs"\} (\S+)/.exec(env.metrics.text())?.[1]);
console.log(
  JSON.stringify({
    bench: 'cache-memory',
    objects: cache.resource('pods')?.count(),
    wireMB: round(wire),
    slabMB: round(slabs),
    heapGrowthMB: round(after.heapUsed - before.heapUsed),
    cacheToWire: Math.round(((slabs + after.heapUsed - before.heapUsed) / wire) * 100) / 100,
    rssGrowthLoadedMB: round(loadedAt.rss - before.rss),
    rssGrowthMB: round(after.rss - before.rss),
    rssMB: round(after.rss),
    loadMs: Math.round(loadMs),
  }),
);
stop.abort();
await run;
