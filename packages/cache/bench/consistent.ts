/** The cost of a consistent read compared with a read of the cached state: 32 readers at a time, each read awaited. */
import { loaded } from './pods.ts';

await using l = await loaded(100);
const found = await l.pods.list(
  {
    scope: { prefix: '' },
    filter: { fieldEquals: [], everything: true, matchesFields: () => true, matchesLabels: () => true },
  },
  l.signal,
);
const keys = found.objects.map((object) => object.key);
const READS = 4000;
const READERS = 32;

async function perRead(kind: 'any' | 'mostRecent'): Promise<number> {
  const start = process.cpuUsage();
  const reader = async (): Promise<void> => {
    for (let i = 0; i < READS; i++) {
      const freshness = { kind };
      if (!l.pods.isFresh(freshness)) await l.pods.waitFresh(freshness, l.signal);
      l.pods.get(keys[i % keys.length] ?? '')?.json();
      // Requests come from sockets, in separate ticks.
      if (kind === 'any') await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  const { user, system } = process.cpuUsage(start);
  return Math.round(((user + system) / (READS * READERS)) * 100) / 100;
}

await perRead('any');
await perRead('mostRecent');
console.log(
  JSON.stringify({
    bench: 'cache-consistent',
    anyUs: await perRead('any'),
    mostRecentUs: await perRead('mostRecent'),
  }),
);
