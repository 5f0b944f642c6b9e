import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { namesFor } from '@orch/machinery';
import { besideOther, compared } from '../lib/compared.ts';
import {
  type BenchContext,
  type Floor,
  type Subject,
  seedPods,
  withBody,
  withoutBody,
} from '../lib/context.ts';
import { againstFloor, type BenchResult, inTurns, type Measured, measure } from '../lib/measure.ts';
import { podOf } from '../lib/pods.ts';
import { peakRss, rssBytes } from '../lib/proc.ts';
import { drive, RawConnection, type RawTarget } from '../lib/raw-client.ts';

const pods = '/api/v1/namespaces/default/pods';
const asTable = `application/json;as=Table;g=${namesFor('kubernetes').group('meta')};v=v1`;

const SELECTED_TURNS = 25;
/** Maximum CPU of a list by a selector with an index, relative to a bare server that sends the same bytes. */
const SELECTED_FACTOR = 1.5;
const LABELLED = 100_000;
/** Maximum memory of the index of a label for each object that has it. */
const LABEL_BYTES = 16;

interface Load {
  readonly count: number;
  readonly connections: number;
}

/** Sends the same request `count` times over `connections` connections and measures the CPU of `pid`. */
async function repeat(
  { pid, target }: Pick<Subject, 'pid' | 'target'>,
  request: Buffer,
  { count, connections }: Load,
): Promise<Measured> {
  const run = (total: number): Promise<number> => {
    let sent = 0;
    return drive(target, connections, () => (sent++ < total ? request : undefined)).then((statuses) => {
      const bad = [...statuses].filter(([status]) => status !== 200);
      if (bad.length > 0) throw new Error(`answers: ${JSON.stringify(bad)}`);
      return total;
    });
  };
  await run(Math.max(connections, Math.ceil(count / 5)));
  return measure(pid, () => run(count));
}

/** The median of several rounds. */
async function middleOf(rounds: number, run: () => Promise<Measured>): Promise<Measured> {
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await run());
  const middle = all.sort((a, b) => a.cpuPerOp - b.cpuPerOp)[rounds >> 1];
  if (middle === undefined) throw new RangeError('no rounds');
  return middle;
}

async function bodyOf(subject: Subject, path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await subject.server.client.get(path, { headers });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer.text;
}

/** The floor sends the same bytes as the server. */
async function floorFor(
  floor: Floor,
  { name, body }: { readonly name: string; readonly body: string },
  load: Load,
): Promise<Measured> {
  await drive(floor.target, 1, once(withBody('POST', `/bytes/${name}`, body)));
  return repeat(floor, withoutBody(`/bytes/${name}`), load);
}

const once = (request: Buffer): (() => Buffer | undefined) => {
  let left: Buffer | undefined = request;
  return () => {
    const now = left;
    left = undefined;
    return now;
  };
};

/** Reads the whole list in chunks over one connection. */
async function chunked(connection: RawConnection): Promise<void> {
  let token = '';
  do {
    const path = `${pods}?limit=500${token === '' ? '' : `&continue=${token}`}`;
    const { status, beginning } = await connection.exchange(withoutBody(path));
    if (status !== 200) throw new Error(`${path}: ${status} ${beginning}`);
    token = /"continue":"([^"]+)"/.exec(beginning)?.[1] ?? '';
  } while (token !== '');
}

/** The same number of responses of the same size from memory. */
async function bareChunks(floor: Floor, path: string, chunks: number): Promise<number> {
  using connection = await RawConnection.open(floor.target);
  const request = withoutBody(path);
  const { cpuPerOp } = await measure(floor.pid, async () => {
    for (let i = 0; i < 10 * chunks; i += 1) await connection.exchange(request);
    return 10;
  });
  return cpuPerOp;
}

/** Warms up code and buffer pools without leaving objects: their memory is not part of the cost of objects. */
async function warmUp(target: RawTarget): Promise<void> {
  const each = (count: number, connections: number, request: (index: number) => Buffer): Promise<unknown> => {
    let index = 0;
    return drive(target, connections, () => (index < count ? request(index++) : undefined));
  };
  for (let round = 0; round < 5; round += 1) {
    await each(200, 32, (index) => withBody('POST', pods, JSON.stringify(podOf(index))));
    await each(2000, 32, () => withoutBody(`${pods}/pod-000050`));
    await each(5, 1, () => withoutBody(pods));
    await each(1, 1, () =>
      Buffer.from(`DELETE ${pods}?gracePeriodSeconds=0 HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    );
  }
}

/** Additional memory of a replica that has just loaded the pods from etcd and listed them, relative to an idle one. */
async function memoryAfterRestart(context: BenchContext, count: number, idle: number): Promise<BenchResult> {
  const subject = await context.serverOnEtcd('/bench-reads');
  await repeat(subject, withoutBody(`${pods}?resourceVersion=0`), { count: 1, connections: 1 });
  return {
    what: `memory per ${count} pods: RSS growth after a restart`,
    unit: 'MB',
    value: (rssBytes(subject.pid) - idle) / 1e6,
    target: 150,
    note: 'loaded from etcd, listed twice',
  };
}

/** The server and the floor of all measurements. */
interface Bench {
  readonly subject: Subject;
  readonly floor: Floor;
  readonly count: number;
}

async function getOne({ subject, floor }: Bench): Promise<readonly BenchResult[]> {
  const one = `${pods}/pod-000500`;
  const body = await bodyOf(subject, one);
  const [getFloor, getAny, getRecent] = await inTurns(12, [
    () => floorFor(floor, { name: 'one', body: body }, { count: 5_000, connections: 32 }),
    () => repeat(subject, withoutBody(`${one}?resourceVersion=0`), { count: 5_000, connections: 32 }),
    () => repeat(subject, withoutBody(one), { count: 5_000, connections: 32 }),
  ]);
  const rate: BenchResult = {
    what: 'GET one pod, rv=0, rate',
    unit: 'requests/s',
    value: getAny.opsPerSecond,
    floor: getFloor.opsPerSecond,
    ratio: getAny.opsPerSecond / getFloor.opsPerSecond,
    target: getFloor.opsPerSecond * 0.5,
    atLeast: true,
  };
  const recent = 'GET one pod, resourceVersion unset, relative to rv=0';
  return [
    againstFloor('GET one pod, rv=0, 32 connections', 'µs CPU', {
      value: getAny.cpuPerOp,
      floor: getFloor.cpuPerOp,
      factor: 2,
    }),
    rate,
    againstFloor(recent, 'µs CPU', {
      value: getRecent.cpuPerOp,
      floor: getAny.cpuPerOp,
      factor: 1.3,
      note: 'floor: rv=0',
    }),
  ];
}

async function listAll({ subject, floor, count }: Bench, body: string): Promise<readonly BenchResult[]> {
  const bare = await floorFor(floor, { name: 'list', body: body }, { count: 20, connections: 1 });
  const note = `${(body.length / 1e6).toFixed(0)} MB`;
  const results: BenchResult[] = [];
  for (const [name, query] of [
    ['rv=0', '?resourceVersion=0'],
    ['unset', ''],
  ] as const) {
    const list = await repeat(subject, withoutBody(`${pods}${query}`), { count: 20, connections: 1 });
    const what = `LIST ${count} pods, ${name}`;
    const [value, floorMs] = [list.cpuPerOp / 1000, bare.cpuPerOp / 1000];
    results.push(againstFloor(what, 'ms CPU', { value, floor: floorMs, factor: 1.3, note }));
  }
  return results;
}

async function concurrentLists({ subject }: Bench): Promise<BenchResult> {
  const before = rssBytes(subject.pid);
  const peak = await peakRss(subject.pid, async () => {
    await repeat(subject, withoutBody(`${pods}?resourceVersion=0`), { count: 16, connections: 8 });
  });
  const value = (peak - before) / 2 ** 20;
  return { what: '8 concurrent LISTs: peak additional memory', unit: 'MiB', value, target: 64 };
}

/** A result in ms of CPU per request, with a target for the reference machine. */
const cpuResult = (what: string, target: number, micros: number, floorMicros: number): BenchResult => ({
  what,
  unit: 'ms CPU',
  value: micros / 1000,
  floor: floorMicros / 1000,
  ratio: micros / floorMicros,
  target,
  onReference: true,
});

async function listInChunks({ subject, floor, count }: Bench): Promise<BenchResult> {
  const { pid, target } = subject;
  await floorFor(
    floor,
    { name: 'chunk', body: await bodyOf(subject, `${pods}?limit=500`) },
    { count: 20, connections: 1 },
  );
  using connection = await RawConnection.open(target);
  await chunked(connection);
  const { cpuPerOp } = await measure(pid, async () => {
    for (let i = 0; i < 10; i += 1) await chunked(connection);
    return 10;
  });
  const bare = await bareChunks(floor, '/bytes/chunk', Math.ceil(count / 500));
  return cpuResult(`LIST in chunks of 500, all ${count}`, 40, cpuPerOp, bare);
}

/** Lists by a selector, in turns with the floor, and with lists of as many pods by key. */
async function listSelected({ subject, floor }: Bench): Promise<readonly BenchResult[]> {
  const results: BenchResult[] = [];
  for (const [what, query] of [
    ['LIST by label, 1 % of the pods', 'labelSelector=app%3Dapp-7'],
    ['LIST by spec.nodeName, 1 % of the pods', 'fieldSelector=spec.nodeName%3Dnode-7'],
  ] as const) {
    const path = `${pods}?${query}&resourceVersion=0`;
    const body = await bodyOf(subject, path);
    const { metadata, items } = JSON.parse(body) as ListBody;
    // A limit has no effect with revision 0.
    const recent = `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`;
    const load = { count: 100, connections: 1 };
    const { list, bare, selected, keyed } = await compared(SELECTED_TURNS, {
      list: () => repeat(subject, withoutBody(path), load),
      bare: () => floorFor(floor, { name: 'selected', body }, load),
      selected: () => repeat(subject, withoutBody(`${pods}?${query}&${recent}`), load),
      keyed: () => repeat(subject, withoutBody(`${pods}?limit=${items.length}&${recent}`), load),
    });
    const common = { unit: 'ms CPU', factor: SELECTED_FACTOR } as const;
    results.push(
      besideOther({ ...common, what, note: 'floor: the same bytes from memory' }, list, bare),
      besideOther(
        { ...common, what: `${what}, relative to as many by key`, note: 'floor: the first pods of the list' },
        selected,
        keyed,
      ),
    );
  }
  return results;
}

interface ListBody {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly unknown[];
}

/** The index of a label, which lists by the label make, in a process of its own. */
async function labelMemory(): Promise<BenchResult> {
  const program = join(import.meta.dirname, '../../packages/cache/bench/label-memory.ts');
  const args = ['--disable-warning=ExperimentalWarning', program, String(LABELLED)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { bytesPerObject, lists } = JSON.parse(stdout) as {
    readonly bytesPerObject: number;
    readonly lists: number;
  };
  return {
    what: `memory of the index of a label for each of ${LABELLED} pods`,
    unit: 'bytes',
    value: bytesPerObject,
    target: LABEL_BYTES,
    note: `growth of the heap after ${lists} lists by the label`,
  };
}

async function listAsTable({ subject, floor, count }: Bench): Promise<BenchResult> {
  const path = `${pods}?resourceVersion=0`;
  const request = withoutBody(path, `Accept: ${asTable}\r\n`);
  // A full garbage collection, or repacking, may occur during a round: the median counts.
  const tables = await middleOf(5, () => repeat(subject, request, { count: 15, connections: 1 }));
  const bare = await floorFor(
    floor,
    { name: 'table', body: await bodyOf(subject, path, { accept: asTable }) },
    { count: 20, connections: 1 },
  );
  return cpuResult(`LIST ${count} as Table, cached`, 30, tables.cpuPerOp, bare.cpuPerOp);
}

async function listCompressed({ subject, count }: Bench): Promise<BenchResult> {
  const request = withoutBody(`${pods}?resourceVersion=0`, 'Accept-Encoding: gzip\r\n');
  const { cpuPerOp } = await repeat(subject, request, { count: 10, connections: 1 });
  const value = cpuPerOp / 1000;
  return { what: `LIST ${count}, gzip`, unit: 'ms CPU', value, target: 200, onReference: true };
}

/** GET and LIST of 10,000 pods of about 4.6 KB on etcd, relative to the same bytes from memory. */
export async function reads(context: BenchContext, count: number): Promise<readonly BenchResult[]> {
  const subject = await context.serverOnEtcd('/bench-reads');
  const { pid, target } = subject;
  const idle = rssBytes(pid);
  await warmUp(target);
  const warm = rssBytes(pid);
  await seedPods(subject, count);
  const bench: Bench = { subject, floor: await context.floor(), count };
  const memory = (when: string, note: string, floor?: number): BenchResult => ({
    what: `memory per ${count} pods: RSS growth${when}`,
    unit: 'MB',
    value: (rssBytes(pid) - warm) / 1e6,
    ...(floor === undefined ? {} : { floor: floor / 1e6, ratio: (rssBytes(pid) - warm) / floor }),
    target: 150,
    note,
  });
  const since = `${(warm / 1e6).toFixed(0)} MB after 1,000 pods were created and deleted`;
  const list = await bodyOf(subject, `${pods}?resourceVersion=0`);
  return [
    { what: 'idle RSS', unit: 'MiB', value: idle / 2 ** 20, target: 150 },
    ...(await getOne(bench)),
    ...(await listAll(bench, list)),
    memory(
      '',
      `right after seeding and the first lists, including garbage; relative to ${since}`,
      list.length,
    ),
    await concurrentLists(bench),
    await listInChunks(bench),
    ...(await listSelected(bench)),
    await labelMemory(),
    await listAsTable(bench),
    await listCompressed(bench),
    memory(' at the end', 'after all reads above; the rows of the table are kept'),
    await memoryAfterRestart(context, count, idle),
  ];
}
