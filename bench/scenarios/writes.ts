import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { besideOther, compared } from '../lib/compared.ts';
import { ConditionalPuts } from '../lib/conditional-puts.ts';
import { type BenchContext, type Subject, withBody } from '../lib/context.ts';
import { type BenchResult, type Measured, measure } from '../lib/measure.ts';
import { configMapOf } from '../lib/pods.ts';
import { Clients } from '../lib/raw-client.ts';

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
  /** The request that creates the object of `request`, which is not measured; absent where objects of other turns are used. */
  create?(index: number): Buffer;
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

const patch = (name: string, mediaType: string, body: (index: number) => string): WriteKind => ({
  name,
  connections: 16,
  factor: 1.9,
  request: (i) => withBody('PATCH', `${path}/c-${i % 2000}`, body(i), mediaType),
});

const applied = (index: number, revision: number): Buffer =>
  withBody(
    'PATCH',
    `${path}/a-${index % 2000}?fieldManager=bench`,
    JSON.stringify(configMapOf(`a-${index % 2000}`, revision)),
    'application/apply-patch+yaml',
  );

/** Kinds of writes that are measured on etcd only. */
const otherKinds: readonly WriteKind[] = [
  patch(
    'strategic merge PATCH',
    'application/strategic-merge-patch+json',
    (i) => `{"data":{"revision":"s${i}"}}`,
  ),
  patch(
    'JSON PATCH',
    'application/json-patch+json',
    (i) => `[{"op":"replace","path":"/data/revision","value":"j${i}"}]`,
  ),
  { name: 'apply', connections: 16, factor: 2.5, request: (i) => applied(i, i) },
  { name: 'apply without a change,', connections: 16, factor: 1, request: (i) => applied(i, 0) },
  {
    name: 'DELETE',
    connections: 16,
    factor: 1.9,
    create: (i) => withBody('POST', path, JSON.stringify(configMapOf(`d-${i}`))),
    request: (i) => Buffer.from(`DELETE ${path}/d-${i} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
  },
];

/** Sends requests number `first` to `first + count` of a kind. A handshake costs as much as several writes, so it is not measured. */
export async function runWrites(
  subject: Pick<Subject, 'pid' | 'target'>,
  kind: WriteKind,
  first: number,
  count: number,
): Promise<Measured> {
  using clients = new Clients(subject.target, kind.connections);
  await clients.connect();
  return await measure(subject.pid, async () => {
    let next = first;
    const statuses = await clients.drive(() => (next < first + count ? kind.request(next++) : undefined));
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

const floorNote = 'floor: HTTPS and one transaction';

/** Writes of the floor, in a turn that begins with number `first`. */
function runFloor(
  floor: Pick<Subject, 'pid' | 'target'>,
  connections: number,
  first: number,
): Promise<Measured> {
  const [create] = writeKinds;
  if (create === undefined) throw new RangeError('no kinds of writes');
  return runWrites(floor, { ...create, connections }, first, TURN_WRITES);
}

/** Turns of one kind of write on etcd and of the floor. */
async function besideFloor(
  subject: Pick<Subject, 'pid' | 'target'>,
  floor: Pick<Subject, 'pid' | 'target'>,
  kind: WriteKind,
): Promise<BenchResult> {
  let next = WARM_UP;
  const from = (): number => {
    next += TURN_WRITES;
    return next - TURN_WRITES;
  };
  const run = async (first: number, count: number): Promise<Measured> => {
    const { create } = kind;
    if (create !== undefined) await runWrites(subject, { ...kind, request: create }, first, count);
    return await runWrites(subject, kind, first, count);
  };
  await run(0, WARM_UP);
  const { connections, factor, name } = kind;
  const { write, bare } = await compared(TURNS, {
    write: () => run(from(), TURN_WRITES),
    bare: () => runFloor(floor, connections, from()),
  });
  const what = `${name} 1 KiB on etcd, ${connections} in flight`;
  return besideOther({ what, unit: 'µs CPU', factor, note: floorNote }, write, bare);
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

/** The lease of a node, as its agent renews it. */
const leaseOf = (name: string, resourceVersion: string, renewal: number): object => ({
  kind: 'Lease',
  apiVersion: 'coordination.k8s.io/v1',
  metadata: { name, namespace: 'default', resourceVersion },
  spec: {
    holderIdentity: name,
    leaseDurationSeconds: 40,
    renewTime: new Date(Date.UTC(2026, 0) + renewal).toISOString().replace('Z', '000Z'),
  },
});

/** Renewals of leases, each at the resource version of the previous one. */
async function renewals(subject: Subject, floor: Pick<Subject, 'pid' | 'target'>): Promise<BenchResult> {
  const names = Array.from({ length: 320 }, (_, index) => `node-${index}`);
  const creation: WriteKind = {
    name: 'CREATE of a lease',
    connections: 1,
    factor: 1,
    request: (i) => withBody('POST', leases, JSON.stringify(leaseOf(names[i] ?? '', '', 0))),
  };
  await runWrites(subject, creation, 0, names.length);
  const connections = 16;
  const puts = (count: number): ConditionalPuts =>
    new ConditionalPuts(subject, { path: leases, names, connections, count, body: leaseOf });
  await puts(WARM_UP).run();
  const turn = puts(TURN_WRITES);
  const { write, bare } = await compared(TURNS, {
    write: () => turn.run(),
    bare: () => runFloor(floor, connections, 0),
  });
  const what = `renewal of a lease on etcd, ${connections} in flight`;
  return besideOther({ what, unit: 'µs CPU', factor: 1.3, note: floorNote }, write, bare);
}

/** All kinds of writes of 1 KiB objects on etcd, renewals of leases, and the first three kinds on the embedded store. */
export async function writes(context: BenchContext): Promise<readonly BenchResult[]> {
  const rows: BenchResult[] = [];
  const onEtcd = await context.serverOnEtcd('/bench-writes');
  const floor = await context.writeFloor();
  const [create] = writeKinds;
  if (create === undefined) return rows;
  await runWrites(floor, create, 0, WARM_UP);
  for (const kind of [...writeKinds, ...otherKinds]) rows.push(await besideFloor(onEtcd, floor, kind));
  rows.push(await renewals(onEtcd, floor));
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
