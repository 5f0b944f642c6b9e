/**
 * The cost of an update: alone, with 500 watchers of everything, and with 500 watchers of a different field value
 * each. Microseconds of CPU of this process, the store's own part (a model in memory) measured apart and taken off. /
 */
import type { EventEncoder, ObjectFilter, WatchItem } from '../src/index.ts';
import { loaded, podBytes } from './pods.ts';

const count = Number(process.argv[2] ?? 2000);
const WATCHERS = 500;
const UPDATES = 400;
const encoder: EventEncoder = {
  id: 'json',
  encode: (type, object) =>
    Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object.json(), Buffer.from('}\n')]),
};
const everything: ObjectFilter = {
  fieldEquals: [],
  everything: true,
  matchesLabels: () => true,
  matchesFields: () => true,
};
await using l = await loaded(count);
let delivered = 0;
let bytes = 0;
const sink = {
  deliver(items: readonly WatchItem[]): boolean {
    for (const item of items) {
      delivered++;
      if (item.type !== 'BOOKMARK') bytes += item.encoded(encoder).length;
    }
    return true;
  },
  end: (): void => undefined,
};
const values = Array.from({ length: UPDATES }, (_, i) => podBytes(i % 100, { node: `node-${i % WATCHERS}` }));

/** CPU microseconds per update, each delivered in a separate tick. */
async function perUpdate(): Promise<number> {
  const start = process.cpuUsage();
  for (let i = 0; i < UPDATES; i++) {
    await l.update(i % 100, values[i] ?? Buffer.alloc(0));
    await l.caughtUp();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(start);
  return Math.round(((user + system) / UPDATES) * 10) / 10;
}

async function withWatchers(
  filterOf: (n: number) => ObjectFilter,
): Promise<{ us: number; delivered: number }> {
  const handles = [];
  for (let n = 0; n < WATCHERS; n++) {
    const query = {
      scope: { prefix: '' },
      filter: filterOf(n),
      start: { kind: 'after' as const, rev: l.cache.revision() },
      bookmarks: false,
    };
    handles.push(await l.pods.watch(query, sink, l.signal));
  }
  await new Promise((resolve) => setImmediate(resolve));
  await perUpdate();
  delivered = 0;
  const us = await perUpdate();
  for (const handle of handles) handle.close();
  return { us, delivered: delivered / UPDATES };
}

await perUpdate();
const alone = await perUpdate();
const all = await withWatchers(() => everything);
const fields = await withWatchers((n) => ({
  fieldEquals: [{ field: 'spec.nodeName', value: `node-${n}` }],
  everything: false,
  matchesLabels: () => true,
  matchesFields: (object) => object.field(2) === `node-${n}`,
}));
console.log(
  JSON.stringify({
    bench: 'cache-watch',
    updateAloneUs: alone,
    allWatchersUs: all.us,
    perDeliveredEventUs: Math.round(((all.us - alone) / all.delivered) * 1000) / 1000,
    fieldWatchersUs: fields.us,
    deliveriesPerUpdate: { all: all.delivered, fields: fields.delivered },
    bytes,
  }),
);
