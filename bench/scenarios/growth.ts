import { launchServer } from '@orch/testkit';
import { type BenchContext, withoutBody } from '../lib/context.ts';
import { measure, type Row } from '../lib/measure.ts';
import { cpuMicros, innermost, peakRssSoFar, rssBytes } from '../lib/proc.ts';
import { drive, type RawTarget } from '../lib/raw-client.ts';
import { podName, type StockedEtcd, stockedEtcd } from '../lib/stocked-etcd.ts';

const sizes = [10_000, 50_000, 150_000] as const;
const starts = 2;
const lists = 3;
const gets = 20_000;
const connections = 32;
const megabyte = 1e6;
/** What a server holds that caches nothing. */
const emptyMegabytes = 130;

interface Started {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly etcdCpuMs: number;
  readonly rssMegabytes: number;
  readonly peakMegabytes: number;
}

/** What a server is like over an etcd with so many pods. */
interface Grown extends Started {
  readonly pods: number;
  readonly megabytes: number;
  readonly listMs: number;
  readonly getMicros: number;
}

const untilReady = async (get: () => Promise<{ readonly status: number }>): Promise<void> => {
  while ((await get()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** Starts a server, and hands it to `use` when it is ready. */
async function started(
  etcd: StockedEtcd,
  certDir: string,
  use: (target: RawTarget, pid: number) => Promise<void>,
): Promise<Started> {
  const etcdBefore = cpuMicros(etcd.pid);
  const began = performance.now();
  await using server = await launchServer({ naming: 'kubernetes', etcd: etcd.endpoints, certDir });
  await untilReady(() => server.client.get('/readyz'));
  const wallMs = performance.now() - began;
  const pid = innermost(server.process.child.pid ?? 0);
  const result = {
    wallMs,
    cpuMs: cpuMicros(pid) / 1000,
    etcdCpuMs: (cpuMicros(etcd.pid) - etcdBefore) / 1000,
    rssMegabytes: rssBytes(pid) / megabyte,
    peakMegabytes: peakRssSoFar(pid) / megabyte,
  };
  const { cert, key } = server.config;
  const identity = { ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
  await use({ host: '127.0.0.1', port: server.port, ...identity }, pid);
  return result;
}

/** CPU in microseconds of each request that `next` gives. */
async function cpuOf(
  target: RawTarget,
  pid: number,
  next: () => Buffer | undefined,
  most = connections,
): Promise<number> {
  const { cpuPerOp } = await measure(pid, async () => {
    const statuses = await drive(target, most, next);
    if (statuses.size !== 1 || !statuses.has(200))
      throw new Error(`answered ${JSON.stringify([...statuses])}`);
    return statuses.get(200) ?? 0;
  });
  return cpuPerOp;
}

const times = (count: number, request: (index: number) => Buffer): (() => Buffer | undefined) => {
  let index = 0;
  return () => (index < count ? request(index++) : undefined);
};

async function grown(certDir: string, pods: number): Promise<Grown> {
  await using etcd = await stockedEtcd(pods, certDir);
  const path = '/api/v1/namespaces/default/pods';
  const runs: Started[] = [];
  let listMs = 0;
  let getMicros = 0;
  for (let run = 1; run <= starts; run++) {
    const last = run === starts;
    runs.push(
      await started(etcd, certDir, async (target, pid) => {
        if (!last) return;
        const getOne = (index: number): Buffer =>
          withoutBody(`${path}/${podName((index * 7919) % pods)}?resourceVersion=0`);
        await cpuOf(target, pid, times(gets / 4, getOne));
        getMicros = await cpuOf(target, pid, times(gets, getOne));
        const list = withoutBody(`${path}?resourceVersion=0`);
        listMs =
          (await cpuOf(
            target,
            pid,
            times(lists, () => list),
            1,
          )) / 1000;
      }),
    );
  }
  // What else the machine does makes a start slower, never faster.
  const least = (of: (one: Started) => number): number => Math.min(...runs.map(of));
  return {
    pods,
    megabytes: etcd.bytes / megabyte,
    wallMs: least((one) => one.wallMs),
    cpuMs: least((one) => one.cpuMs),
    etcdCpuMs: least((one) => one.etcdCpuMs),
    rssMegabytes: Math.max(...runs.map((one) => one.rssMegabytes)),
    peakMegabytes: Math.max(...runs.map((one) => one.peakMegabytes)),
    listMs,
    getMicros,
  };
}

function rowsOf({ pods, megabytes, ...one }: Grown): readonly Row[] {
  const of = `${pods} pods (${megabytes.toFixed(0)} MB) on etcd`;
  const thousands = pods / 1000;
  const memory = (what: string, value: number): Row => ({
    what: `${what}, ${of}`,
    unit: 'MB',
    value,
    floor: megabytes,
    ratio: value / megabytes,
    target: Math.max(1.3 * megabytes, emptyMegabytes + 1.3 * megabytes * (pods < 100_000 ? 1 : 0)),
  });
  return [
    // At 150,000 eight seconds, as it is asked of this machine.
    {
      what: `start to /readyz 200, ${of}`,
      unit: 'ms',
      value: one.wallMs,
      target: 1000 + (thousands * 7000) / 150,
    },
    {
      what: `CPU of that start, ${of}`,
      unit: 'ms CPU',
      value: one.cpuMs,
      target: 500 + thousands * 22,
      onReference: true,
      note: `and ${one.etcdCpuMs.toFixed(0)} ms of etcd`,
    },
    memory('RSS after that start', one.rssMegabytes),
    memory('peak RSS of that start', one.peakMegabytes),
    {
      what: `LIST all, rv=0, ${of}`,
      unit: 'ms CPU',
      value: one.listMs,
      target: thousands * 3,
      onReference: true,
    },
    { what: `GET one, rv=0, ${of}`, unit: 'µs CPU', value: one.getMicros, target: 40, onReference: true },
  ];
}

/** Cost of one more object between the larger two sizes, beside that between the smaller two. */
function slopes(all: readonly Grown[]): readonly Row[] {
  const [small, middle, large] = all;
  if (small === undefined || middle === undefined || large === undefined) return [];
  const slope = (a: Grown, b: Grown, of: (one: Grown) => number): number =>
    (of(b) - of(a)) / (b.pods - a.pods);
  const span = `from ${middle.pods} to ${large.pods}, beside ${small.pods} to ${middle.pods}`;
  const row = (what: string, of: (one: Grown) => number, target: number): Row => {
    const value = slope(middle, large, of) / slope(small, middle, of);
    return { what: `${what} for one more object ${span}`, unit: '×', value, target, note: '1 is linear' };
  };
  return [
    row('CPU of a start', (one) => one.cpuMs, 1.4),
    row('CPU of etcd during a start', (one) => one.etcdCpuMs, 1.6),
    row('RSS after a start', (one) => one.rssMegabytes, 1.2),
    row('CPU of a LIST', (one) => one.listMs, 1.5),
  ];
}

/** Starts and reads with 10,000, 50,000 and 150,000 pods of 4.6 KB in etcd: what grows, and how. */
export async function growth(context: BenchContext): Promise<readonly Row[]> {
  const all: Grown[] = [];
  for (const pods of sizes) all.push(await grown(context.certDir, pods));
  const [small] = all;
  const large = all.at(-1);
  const rows = [...all.flatMap(rowsOf), ...slopes(all)];
  if (small === undefined || large === undefined) return rows;
  return [
    ...rows,
    {
      what: `GET one among ${large.pods}, beside one among ${small.pods}`,
      unit: '×',
      value: large.getMicros / small.getMicros,
      target: 1.3,
    },
  ];
}
