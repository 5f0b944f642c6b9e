import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { namesFor } from '@orch/machinery';
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
/** Number of writes before a measurement. The compiler runs during the first 40,000 writes of a kind, which cost a third more than later ones. */
const WARM_UP = 40_000;

/** The requests of one kind of write. Each has a number. */
interface WriteRequests {
  readonly name: string;
  request(index: number): Buffer;
}

export interface WriteKind extends WriteRequests {
  readonly connections: number;
  /** Maximum CPU relative to a bare HTTPS server with one transaction. */
  readonly factor: number;
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

/**
 * Writes over connections that stay open. A handshake and the first request of a connection cost as much as several writes, so
 * that a run of few writes over new connections would measure these.
 */
export class Writer implements Disposable {
  readonly #pid: number;
  readonly #clients: Clients;

  constructor({ pid, target }: Pick<Subject, 'pid' | 'target'>, connections: number) {
    this.#pid = pid;
    this.#clients = new Clients(target, connections);
  }

  /** Sends requests number `first` to `first + count`. */
  async run({ name, request }: WriteRequests, first: number, count: number): Promise<Measured> {
    await this.#clients.connect();
    return await measure(this.#pid, async () => {
      let next = first;
      const statuses = await this.#clients.drive(() => (next < first + count ? request(next++) : undefined));
      const bad = [...statuses].filter(([status]) => status !== 200 && status !== 201 && status !== 409);
      if (bad.length > 0) throw new Error(`${name}: ${JSON.stringify(bad)}`);
      return count;
    });
  }

  [Symbol.dispose](): void {
    this.#clients[Symbol.dispose]();
  }
}

/** Sends requests number `first` to `first + count` of a kind, over new connections. */
export async function runWrites(
  subject: Pick<Subject, 'pid' | 'target'>,
  kind: WriteKind,
  first: number,
  count: number,
): Promise<Measured> {
  using writer = new Writer(subject, kind.connections);
  return await writer.run(kind, first, count);
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

/** Turns of the floor, which creates objects. */
class FloorTurns implements Disposable {
  readonly #writer: Writer;
  #next = 0;

  constructor(floor: Pick<Subject, 'pid' | 'target'>, connections: number) {
    this.#writer = new Writer(floor, connections);
  }

  async run(count = TURN_WRITES): Promise<Measured> {
    const [create] = writeKinds;
    if (create === undefined) throw new RangeError('no kinds of writes');
    const first = this.#next;
    this.#next += count;
    return await this.#writer.run(create, first, count);
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
  }
}

/** Turns of one kind of write on etcd and of the floor. */
async function besideFloor(
  subject: Pick<Subject, 'pid' | 'target'>,
  floor: Pick<Subject, 'pid' | 'target'>,
  kind: WriteKind,
): Promise<BenchResult> {
  const { connections, factor, name, create } = kind;
  using writer = new Writer(subject, connections);
  using floorTurns = new FloorTurns(floor, connections);
  let next = 0;
  const run = async (count: number): Promise<Measured> => {
    const first = next;
    next += count;
    if (create !== undefined) await writer.run({ name, request: create }, first, count);
    return await writer.run(kind, first, count);
  };
  await run(WARM_UP);
  await floorTurns.run();
  const { write, bare } = await compared(TURNS, {
    write: () => run(TURN_WRITES),
    bare: () => floorTurns.run(),
  });
  const what = `${name} 1 KiB on etcd, ${connections} in flight`;
  return besideOther({ what, unit: 'µs CPU', factor, note: floorNote }, write, bare);
}

const coordination = `${namesFor('kubernetes').group('coordination')}/v1`;
const leases = `/apis/${coordination}/namespaces/default/leases`;

/** The lease of a node, as its agent renews it. */
const leaseOf = (name: string, resourceVersion: string, renewal: number): object => ({
  kind: 'Lease',
  apiVersion: coordination,
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
  using puts = new ConditionalPuts(subject, {
    path: leases,
    names,
    connections,
    count: TURN_WRITES,
    body: leaseOf,
  });
  using floorTurns = new FloorTurns(floor, connections);
  await puts.run(WARM_UP);
  await floorTurns.run();
  const { write, bare } = await compared(TURNS, { write: () => puts.run(), bare: () => floorTurns.run() });
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
