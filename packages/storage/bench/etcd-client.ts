/**
 * CPU of the etcd client per call, with 32 calls in flight, against a single etcd member with its data in memory.
 * Prints one JSON object. `--seconds=2` sets the time a case is measured.
 */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { prefixRange } from '@orch/storage';
import { openEtcdStore } from '@orch/storage/etcd';
import { startEtcd } from '@orch/storage/testing';
import { EtcdClient } from '../src/etcd/client/etcd-client.ts';

const IN_FLIGHT = 32;
const VALUE = Buffer.alloc(1024, 'x');
const env = { clock: systemClock, random: systemRandom, log: silentLogger };
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '2' } } });
const seconds = Number(values.seconds);

interface Measured {
  readonly calls: number;
  readonly cpuMicrosPerCall: number;
  readonly callsPerSecond: number;
}

/** Runs `call` from `IN_FLIGHT` loops; the first half second warms up. */
async function measure(call: (worker: number) => Promise<void>): Promise<Measured> {
  let calls = 0;
  let running = true;
  const loops = Array.from({ length: IN_FLIGHT }, async (_, worker) => {
    while (running) {
      await call(worker);
      calls++;
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  calls = 0;
  const cpu = process.cpuUsage();
  const started = performance.now();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const used = process.cpuUsage(cpu);
  const elapsed = (performance.now() - started) / 1000;
  const counted = calls;
  running = false;
  await Promise.all(loops);
  return {
    calls: counted,
    cpuMicrosPerCall: Number(((used.user + used.system) / counted).toFixed(1)),
    callsPerSecond: Math.round(counted / elapsed),
  };
}

await using cluster = await startEtcd();
const options = { endpoints: cluster.endpoints, env };
const client = new EtcdClient(options);
const store = await openEtcdStore(options);
const signal = new AbortController().signal;
const call = { timeoutMs: 10_000, signal };
const revisions = new Array<number>(IN_FLIGHT).fill(0);
const update = (write: (worker: number, expected: number) => Promise<number>) => async (worker: number) => {
  revisions[worker] = await write(worker, revisions[worker] ?? 0);
};

const clientTxn = await measure(
  update(async (worker, expected) => {
    const request = { key: `/registry/pods/bench/client-${worker}`, expected, value: VALUE };
    const { succeeded, revision } = await client.compareAndSwap(request, call);
    if (!succeeded) throw new Error('a transaction failed without another writer');
    return revision;
  }),
);
const clientRange = await measure(async (worker) => {
  await client.range({ key: `/registry/pods/bench/client-${worker}` }, call);
});
revisions.fill(0);
const storeCommit = await measure(
  update(async (worker, expected) => {
    const key = `/registry/pods/bench/store-${worker}`;
    const op = expected === 0 ? { op: 'create' as const } : { op: 'update' as const, expected };
    const { ok, rev } = await store.commit({ ...op, key, value: VALUE }, signal);
    if (!ok) throw new Error('a commit failed without another writer');
    return rev;
  }),
);
const storeGet = await measure(async (worker) => {
  await store.get(`/registry/pods/bench/store-${worker}`, signal);
});
const storeGetOwnSignal = await measure(async (worker) => {
  await store.get(`/registry/pods/bench/store-${worker}`, new AbortController().signal);
});
const storeCurrentRevision = await measure(async () => {
  await store.currentRevision(signal);
});

/** CPU per item of reading everything that the commits above and 10,000 more keys have written. */
async function measureBulk(
  read: () => Promise<number>,
): Promise<{ items: number; cpuMicrosPerItem: number }> {
  await read();
  const cpu = process.cpuUsage();
  const items = await read();
  const used = process.cpuUsage(cpu);
  return { items, cpuMicrosPerItem: Number(((used.user + used.system) / items).toFixed(2)) };
}

const range = prefixRange('/registry/bulk/');
const beforeBulk = await store.currentRevision(signal);
await Promise.all(
  Array.from({ length: 10_000 }, (_, i) =>
    store.commit({ op: 'create', key: `${range.start}${i}`, value: VALUE }, signal),
  ),
);
const list = await measureBulk(async () => (await store.list(range, {}, signal)).items.length);
const watchReplay = await measureBulk(async () => {
  let events = 0;
  for await (const batch of store.watch(range, beforeBulk, signal)) {
    events += batch.events.length;
    if (events >= 10_000) break;
  }
  return events;
});

client.close();
await store.close();
console.log(
  JSON.stringify(
    {
      hardware: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores`,
      node: process.version,
      inFlight: IN_FLIGHT,
      valueBytes: VALUE.length,
      clientTxn,
      clientRange,
      storeCommit,
      storeGet,
      storeGetOwnSignal,
      storeCurrentRevision,
      list,
      watchReplay,
    },
    undefined,
    2,
  ),
);
