/** The cost of one event in the cache itself: applying it to tree, indexes, slabs and event history, without reading it. */
import type { KeyValue } from '@orch/storage';
import { EncodingBudget } from '../src/objects/encoding-cache.ts';
import { ownMemory } from '../src/objects/slab.ts';
import { ResourceState } from '../src/resource/resource-state.ts';
import { CacheEvent } from '../src/watch/cache-event.ts';
import { EncodedEventBudget } from '../src/watch/encoded-event-budget.ts';
import { HistoryBudget } from '../src/watch/event-history.ts';
import { podBytes, podKey, pods } from './pods.ts';

const count = Number(process.argv[2] ?? 10_000);
const EVENTS = 100_000;
const ready = Array.from({ length: count }, (_, n) => pods.ingest(podBytes(n), 1, podKey(n)));
let next = 0;
const resource = { ...pods, ingest: () => ready[next] ?? { json: Buffer.alloc(0), labels: {}, fields: [] } };
const state = new ResourceState(resource, {
  histories: new HistoryBudget(64 * 1024 * 1024),
  encodedEvents: new EncodedEventBudget(8 * 1024 * 1024),
  seed: 1,
  encodings: new EncodingBudget(64 * 1024 * 1024),
  monotonic: () => 0,
  corruptObject: () => undefined,
  memory: () => ownMemory,
});
const empty = Buffer.alloc(0);
const kv = (n: number, rev: number): KeyValue => ({
  key: podKey(n),
  value: empty,
  createRevision: 1,
  modRevision: rev,
});
for (next = 0; next < count; next++) state.apply({ type: 'put', kv: kv(next, next + 1) });

const keys = Array.from({ length: count }, (_, n) => podKey(n));
const start = process.cpuUsage();
const wall = performance.now();
let applied = 0;
for (let i = 0; i < EVENTS; i++) {
  next = (i * 7919) % count;
  const change = state.apply({
    type: 'put',
    kv: { key: keys[next] ?? '', value: empty, createRevision: 1, modRevision: count + i + 1 },
  });
  if (change instanceof CacheEvent) applied++;
}
const { user, system } = process.cpuUsage(start);
console.log(
  JSON.stringify({
    bench: 'cache-ingest',
    applied,
    usPerEvent: Math.round(((user + system) / EVENTS) * 100) / 100,
    wallUsPerEvent: Math.round(((performance.now() - wall) * 1e5) / EVENTS) / 100,
    liveMB: Math.round(state.arena.liveBytes / 1e6),
    slabMB: Math.round(state.arena.usedBytes / 1e6),
    historyEvents: state.history.length,
  }),
);
