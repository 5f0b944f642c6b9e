import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type BenchContext, type Subject, withBody } from '../lib/context.ts';
import { type BenchResult, type Measured, measure } from '../lib/measure.ts';
import { configMapOf } from '../lib/pods.ts';
import { drive } from '../lib/raw-client.ts';

const path = '/api/v1/namespaces/default/configmaps';
const WRITES = 10_000;
/** The first 15,000 writes of a process cost a third more than all others, until the code is compiled. */
const WARM_UP = 20_000;

export interface WriteKind {
  readonly name: string;
  readonly connections: number;
  readonly target: number;
  request(index: number): Buffer;
}

export const writeKinds: readonly WriteKind[] = [
  {
    name: 'CREATE',
    connections: 32,
    target: 130,
    request: (i) => withBody('POST', path, JSON.stringify(configMapOf(`c-${i}`))),
  },
  {
    name: 'PUT',
    connections: 16,
    target: 150,
    request: (i) => withBody('PUT', `${path}/c-${i % 2000}`, JSON.stringify(configMapOf(`c-${i % 2000}`, i))),
  },
  {
    name: 'merge PATCH',
    connections: 16,
    target: 170,
    request: (i) =>
      withBody(
        'PATCH',
        `${path}/c-${i % 2000}`,
        `{"data":{"revision":"p${i}"}}`,
        'application/merge-patch+json',
      ),
  },
];

/** Sends requests number `first` to `first + count` of a kind. */
export async function runWrites(
  subject: Pick<Subject, 'pid' | 'target'>,
  kind: WriteKind,
  first: number,
  count: number,
): Promise<Measured> {
  return measure(subject.pid, async () => {
    let next = first;
    const statuses = await drive(subject.target, kind.connections, () =>
      next < first + count ? kind.request(next++) : undefined,
    );
    const bad = [...statuses].filter(([status]) => status !== 200 && status !== 201 && status !== 409);
    if (bad.length > 0) throw new Error(`${kind.name}: ${JSON.stringify(bad)}`);
    return count;
  });
}

/** Durable writes per second of a bare SQLite log in groups of 32, from the benchmark of the store's package. */
function bareGroupCommit(): number {
  const program = join(import.meta.dirname, '../../packages/storage/bench/embedded-store.ts');
  const report = JSON.parse(
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', program, '--seconds=1'], {
      encoding: 'utf8',
    }),
  ) as { bareSqlite: { perSecond: number } };
  return report.bareSqlite.perSecond;
}

/** CREATE, PUT and merge PATCH of 1 KiB objects, on etcd and on the embedded store. */
export async function writes(context: BenchContext): Promise<readonly BenchResult[]> {
  const rows: BenchResult[] = [];
  const onEtcd = await context.serverOnEtcd('/bench-writes');
  const floor = await context.writeFloor();
  const [create] = writeKinds;
  if (create === undefined) return rows;
  await runWrites(floor, create, 0, WARM_UP);
  const bare = await runWrites(floor, create, WARM_UP, WRITES);
  for (const kind of writeKinds) {
    await runWrites(onEtcd, kind, 0, WARM_UP);
    const result = await runWrites(onEtcd, kind, WARM_UP, WRITES);
    rows.push({
      what: `${kind.name} 1 KiB on etcd, ${kind.connections} in flight`,
      unit: 'µs CPU',
      value: result.cpuPerOp,
      floor: bare.cpuPerOp,
      ratio: result.cpuPerOp / bare.cpuPerOp,
      target: kind.target,
      onReference: true,
      note: `${Math.round(result.opsPerSecond)} writes/s`,
    });
  }
  const embedded = await context.serverEmbedded();
  const group = bareGroupCommit();
  for (const kind of writeKinds) {
    await runWrites(embedded, kind, 0, WARM_UP);
    const result = await runWrites(embedded, kind, WARM_UP, WRITES);
    rows.push({
      what: `${kind.name} 1 KiB on the embedded store, ${kind.connections} in flight`,
      unit: 'writes/s',
      value: result.opsPerSecond,
      floor: group,
      ratio: result.opsPerSecond / group,
      target: 5_000,
      atLeast: true,
      onReference: true,
      note: `${result.cpuPerOp.toFixed(0)} µs CPU each`,
    });
  }
  return rows;
}
