import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { besideOther, compared } from '../lib/compared.ts';
import { type BenchContext, type Subject, withBody } from '../lib/context.ts';
import { type BenchResult, type Measured, measure } from '../lib/measure.ts';
import { configMapOf } from '../lib/pods.ts';
import { drive } from '../lib/raw-client.ts';

const path = '/api/v1/namespaces/default/configmaps';
const WRITES = 10_000;
/** Turns of a write and of the floor, which alternate, and the writes in each. */
const TURNS = 25;
const TURN_WRITES = 640;
/** The first 15,000 writes of a process cost a third more than all others, until the code is compiled. */
const WARM_UP = 20_000;

export interface WriteKind {
  readonly name: string;
  readonly connections: number;
  /** Maximum CPU relative to a bare HTTPS server with one transaction. */
  readonly factor: number;
  request(index: number): Buffer;
}

export const writeKinds: readonly WriteKind[] = [
  {
    name: 'CREATE',
    connections: 32,
    factor: 1.7,
    request: (i) => withBody('POST', path, JSON.stringify(configMapOf(`c-${i}`))),
  },
  {
    name: 'PUT',
    connections: 16,
    factor: 1.9,
    request: (i) => withBody('PUT', `${path}/c-${i % 2000}`, JSON.stringify(configMapOf(`c-${i % 2000}`, i))),
  },
  {
    name: 'merge PATCH',
    connections: 16,
    factor: 1.9,
    request: (i) =>
      withBody(
        'PATCH',
        `${path}/c-${i % 2000}`,
        `{"data":{"revision":"p${i}"}}`,
        'application/merge-patch+json',
      ),
  },
];

/** An apply that changes one field. */
const apply: WriteKind = {
  name: 'apply',
  connections: 16,
  factor: 2.5,
  request: (i) =>
    withBody(
      'PATCH',
      `${path}/a-${i % 2000}?fieldManager=bench`,
      JSON.stringify(configMapOf(`a-${i % 2000}`, i)),
      'application/apply-patch+yaml',
    ),
};

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

/** Turns of one kind of write on etcd and of the floor. */
async function besideFloor(
  subject: Pick<Subject, 'pid' | 'target'>,
  floor: Pick<Subject, 'pid' | 'target'>,
  kind: WriteKind,
): Promise<BenchResult> {
  const [create] = writeKinds;
  if (create === undefined) throw new RangeError('no kinds of writes');
  let next = WARM_UP;
  const from = (): number => {
    next += TURN_WRITES;
    return next - TURN_WRITES;
  };
  await runWrites(subject, kind, 0, WARM_UP);
  const { write, bare } = await compared(TURNS, {
    write: () => runWrites(subject, kind, from(), TURN_WRITES),
    bare: () => runWrites(floor, { ...create, connections: kind.connections }, from(), TURN_WRITES),
  });
  const { connections, factor, name } = kind;
  const what = `${name} 1 KiB on etcd, ${connections} in flight`;
  return besideOther({ what, unit: 'µs CPU', factor, note: 'floor: HTTPS and one transaction' }, write, bare);
}

/** CREATE, PUT, merge PATCH and apply of 1 KiB objects on etcd, and the first three on the embedded store. */
export async function writes(context: BenchContext): Promise<readonly BenchResult[]> {
  const rows: BenchResult[] = [];
  const onEtcd = await context.serverOnEtcd('/bench-writes');
  const floor = await context.writeFloor();
  const [create] = writeKinds;
  if (create === undefined) return rows;
  await runWrites(floor, create, 0, WARM_UP);
  for (const kind of [...writeKinds, apply]) rows.push(await besideFloor(onEtcd, floor, kind));
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
