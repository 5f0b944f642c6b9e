/**
 * Durable writes per second of the embedded store and what one costs, compared with the floor: the same bytes appended to a
 * bare file and synced, one group at a time, and a bare SQLite log. Run: scripts/node packages/storage/bench/embedded-store.ts
 * [--dir=…] [--seconds=3] [--in-flight=32]. Prints one JSON object.
 */
import { closeSync, fdatasyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { systemEnv } from '@orch/machinery/env';
import { openEmbeddedStore } from '../src/embedded/index.ts';
import { keyAfter, prefixRange, type Store } from '../src/index.ts';

const VALUE = Buffer.alloc(1024, 'v');
const KEYS = 10_000;
const OBJECT_BYTES = 4_600;

const { values: flags } = parseArgs({
  options: {
    dir: { type: 'string', default: tmpdir() },
    seconds: { type: 'string', default: '3' },
    'in-flight': { type: 'string', default: '32' },
  },
});
const IN_FLIGHT = Number(flags['in-flight']);
const milliseconds = Number(flags.seconds) * 1000;
const base = mkdtempSync(join(flags.dir, 'orch-bench-'));
const { signal } = new AbortController();

interface Rate {
  readonly perSecond: number;
  readonly cpuMicrosPerWrite: number;
}

/** Runs `round`, which returns its number of writes, until the time has passed. */
async function measure(round: () => number | Promise<number>): Promise<Rate> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let writes = 0;
  while (performance.now() - start < milliseconds) writes += await round();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: Math.round(writes / seconds),
    cpuMicrosPerWrite: Number(((user + system) / writes).toFixed(1)),
  };
}

async function bareFile(): Promise<Rate> {
  const file = openSync(join(base, 'bare'), 'w');
  const group = Buffer.alloc(IN_FLIGHT * (VALUE.length + 64), 'v');
  let at = 0;
  const rate = await measure(() => {
    writeSync(file, group, 0, group.length, at);
    fdatasyncSync(file);
    at = (at + group.length) % (64 * 1024 * 1024);
    return IN_FLIGHT;
  });
  closeSync(file);
  return rate;
}

async function bareSqlite(): Promise<Rate> {
  const db = new DatabaseSync(join(base, 'bare.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4096');
  db.exec('CREATE TABLE log (rev INTEGER PRIMARY KEY, key TEXT, value BLOB)');
  const insert = db.prepare('INSERT INTO log (key, value) VALUES (?, ?)');
  const rate = await measure(() => {
    db.exec('BEGIN IMMEDIATE');
    for (let i = 0; i < IN_FLIGHT; i++) insert.run(keyOf(i), VALUE);
    db.exec('COMMIT');
    return IN_FLIGHT;
  });
  db.close();
  return rate;
}

function keyOf(i: number): string {
  return `/registry/pods/default/some-workload-${String(i).padStart(6, '0')}`;
}

/** Creates every key, `IN_FLIGHT` at a time; their revisions. */
async function fill(store: Store, prefixed: (i: number) => string, value: Buffer): Promise<number[]> {
  const revisions: number[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < KEYS; i = next++) {
      revisions[i] = (await store.commit({ op: 'create', key: prefixed(i), value }, signal)).rev;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return revisions;
}

/** Updates random keys, `IN_FLIGHT` at a time, with one watch open, as in a server. */
async function updates(store: Store): Promise<Rate> {
  const revisions = await fill(store, keyOf, VALUE);
  const stop = new AbortController();
  const watched = (async () => {
    let events = 0;
    const start = await store.currentRevision(signal);
    for await (const batch of store.watch(prefixRange('/registry/'), start, stop.signal))
      events += batch.events.length;
    return events;
  })();
  let running = true;
  let done = 0;
  const client = async (first: number) => {
    for (let i = first; running; i = (i * 31 + IN_FLIGHT) % KEYS) {
      const expected = revisions[i] ?? 0;
      const result = await store.commit({ op: 'update', key: keyOf(i), value: VALUE, expected }, signal);
      if (!result.ok) revisions[i] = result.current?.modRevision ?? 0;
      else {
        revisions[i] = result.rev;
        done++;
      }
    }
  };
  const clients = Array.from({ length: IN_FLIGHT }, (_, i) => client(i * 311));
  const rate = await measure(async () => {
    const before = done;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return done - before;
  });
  running = false;
  await Promise.all(clients);
  stop.abort();
  await watched;
  return rate;
}

async function openTimes(dir: string): Promise<object> {
  const env = systemEnv();
  const times: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    times[name] = Number((performance.now() - start).toFixed(1));
    return result;
  };
  const empty = await timed('openEmptyMs', () => openEmbeddedStore({ dir, env }));
  await timed('firstCommitMs', () => empty.commit({ op: 'create', key: '/x', value: VALUE }, signal));
  const value = Buffer.alloc(OBJECT_BYTES, 'v');
  await fill(empty, (i) => `/objects/${keyOf(i)}`, value);
  await timed('closeMs', () => empty.close());
  const full = await timed('openFullMs', () => openEmbeddedStore({ dir, env }));
  await timed('listAllInPagesMs', async () => {
    const range = prefixRange('/objects/');
    let page = await full.list(range, { limit: 500 }, signal);
    while (page.more) {
      const start = keyAfter(page.items.at(-1)?.key ?? '');
      page = await full.list({ start, end: range.end }, { limit: 500, at: page.rev }, signal);
    }
  });
  await timed('getMicros', async () => {
    for (let i = 0; i < 1000; i++) await full.get(`/objects/${keyOf(i * 7)}`, signal);
  });
  await full.close();
  return times;
}

mkdirSync(join(base, 'store'), { recursive: true });
const store = await openEmbeddedStore({ dir: join(base, 'store'), env: systemEnv() });
const embedded = await updates(store);
const { bytes } = await store.size(signal);
await store.close();
const report = {
  machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
  inFlight: IN_FLIGHT,
  valueBytes: VALUE.length,
  bareFile: await bareFile(),
  bareSqlite: await bareSqlite(),
  embedded,
  storeBytes: bytes,
  ...(await openTimes(join(base, 'open'))),
};
rmSync(base, { recursive: true });
console.log(JSON.stringify(report, null, 2));
