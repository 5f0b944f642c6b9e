/** The cost of reads of 10,000 pods: whole lists, chunks, selectors, and lists of a fragmented cache. */
import type { ListQuery, ObjectFilter } from '../src/index.ts';
import { encodeItems } from '../src/index.ts';
import { loaded, podBytes } from './pods.ts';

const count = Number(process.argv[2] ?? 10_000);
const everything: ObjectFilter = {
  fieldEquals: [],
  everything: true,
  matchesLabels: () => true,
  matchesFields: () => true,
};
const byLabel: ObjectFilter = {
  fieldEquals: [],
  everything: false,
  matchesLabels: (labels) => labels['app'] === 'app-42',
  matchesFields: () => true,
};
const byNode: ObjectFilter = {
  fieldEquals: [{ field: 'spec.nodeName', value: 'node-42' }],
  everything: false,
  matchesLabels: () => true,
  matchesFields: (object) => object.field(2) === 'node-42',
};
const scope = { prefix: '' };
await using l = await loaded(count);

function page(query: ListQuery): ReturnType<typeof l.pods.list> {
  return l.pods.list(query, l.signal);
}

/** Median CPU microseconds of a synchronous run. */
function median(runs: number, work: () => void): number {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const start = process.hrtime.bigint();
    work();
    times.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  times.sort((a, b) => a - b);
  return Math.round((times[times.length >> 1] ?? 0) * 10) / 10;
}

function drain(query: ListQuery): { slices: number; bytes: number } {
  const found = page(query);
  if (found instanceof Promise) throw new Error('not from memory');
  let slices = 0;
  let bytes = 0;
  for (const slice of encodeItems(found.objects)) {
    slices++;
    bytes += slice.length;
  }
  return { slices, bytes };
}

function inChunks(limit: number): void {
  let at: number | undefined;
  for (let after: string | undefined; ; ) {
    const found = page({
      scope,
      filter: everything,
      limit,
      ...(at === undefined || after === undefined ? {} : { at, after }),
    });
    if (found instanceof Promise) throw new Error('not from memory');
    for (const _ of encodeItems(found.objects));
    at = found.rev;
    after = found.next;
    if (after === undefined) return;
  }
}

const keyed = l.pods.list({ scope, filter: everything, limit: 1 }, l.signal);
const key = keyed instanceof Promise ? '' : (keyed.objects[0]?.key ?? '');
const result = {
  bench: 'cache-reads',
  count,
  getUs: median(2000, () => void l.pods.get(key)?.json()),
  listUs: median(50, () => void page({ scope, filter: everything })),
  listAndSliceUs: median(50, () => void drain({ scope, filter: everything })),
  slices: drain({ scope, filter: everything }),
  chunksOf500Us: median(30, () => inChunks(500)),
  labelUs: median(200, () => void page({ scope, filter: byLabel })),
  labelAndSliceUs: median(200, () => void drain({ scope, filter: byLabel })),
  fieldUs: median(500, () => void page({ scope, filter: byNode })),
  fieldAndSliceUs: median(500, () => void drain({ scope, filter: byNode })),
};
for (let i = 0; i < count; i++) await l.update((i * 7919) % count, podBytes((i * 7919) % count));
await l.caughtUp();
const scatteredSlices = drain({ scope, filter: everything });
const fragmented = {
  scatteredListAndSliceUs: median(20, () => void drain({ scope, filter: everything })),
  scatteredSlices,
};
for (let i = 0; i < 100; i++) await new Promise((resolve) => setImmediate(resolve));
const repacked = {
  repackedListAndSliceUs: median(20, () => void drain({ scope, filter: everything })),
  repackedSlices: drain({ scope, filter: everything }),
};
console.log(JSON.stringify({ ...result, ...fragmented, ...repacked }));
