import { launchServerProcess } from '@orch/testkit';
import { type BenchContext, withoutBody } from '../lib/context.ts';
import { type BenchResult, measure } from '../lib/measure.ts';
import { cpuMicros, innermost, peakRssSoFar, rssBytes } from '../lib/proc.ts';
import { drive, type RawTarget } from '../lib/raw-client.ts';
import { podName, type StockedEtcd, stockedEtcd } from '../lib/stocked-etcd.ts';

const SIZES = [10_000, 50_000, 150_000] as const;
const STARTS = 2;
const LISTS = 3;
const GETS = 20_000;
const CONNECTIONS = 32;
const MEGABYTE = 1e6;
/** Memory of a server with an empty cache. */
const EMPTY_MEGABYTES = 130;

interface Started {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly etcdCpuMs: number;
  readonly rssMegabytes: number;
  readonly peakMegabytes: number;
}

/** Measurements of a server over an etcd with a number of pods. */
interface Grown extends Started {
  readonly pods: number;
  readonly megabytes: number;
  readonly listMs: number;
  readonly getMicros: number;
}

const untilReady = async (get: () => Promise<{ readonly status: number }>): Promise<void> => {
  while ((await get()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** Starts a server, and passes it to `use` when it is ready. */
async function started(
  etcd: StockedEtcd,
  certDir: string,
  use: (target: RawTarget, pid: number) => Promise<void>,
): Promise<Started> {
  const etcdBefore = cpuMicros(etcd.pid);
  const began = performance.now();
  await using server = await launchServerProcess({ naming: 'kubernetes', etcd: etcd.endpoints, certDir });
  await untilReady(() => server.client.get('/readyz'));
  const wallMs = performance.now() - began;
  const pid = innermost(server.process.child.pid ?? 0);
  const result = {
    wallMs,
    cpuMs: cpuMicros(pid) / 1000,
    etcdCpuMs: (cpuMicros(etcd.pid) - etcdBefore) / 1000,
    rssMegabytes: rssBytes(pid) / MEGABYTE,
    peakMegabytes: peakRssSoFar(pid) / MEGABYTE,
  };
  const { cert, key } = server.config;
  const identity = { ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) };
  await use({ host: '127.0.0.1', port: server.port, ...identity }, pid);
  return result;
}

/** CPU per request of `next` in microseconds. */
async function cpuOf(
  target: RawTarget,
  pid: number,
  next: () => Buffer | undefined,
  most = CONNECTIONS,
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
  for (let run = 1; run <= STARTS; run++) {
    const last = run === STARTS;
    runs.push(
      await started(etcd, certDir, async (target, pid) => {
        if (!last) return;
        const getOne = (index: number): Buffer =>
          withoutBody(`${path}/${podName((index * 7919) % pods)}?resourceVersion=0`);
        await cpuOf(target, pid, times(GETS / 4, getOne));
        getMicros = await cpuOf(target, pid, times(GETS, getOne));
        const list = withoutBody(`${path}?resourceVersion=0`);
        listMs =
          (await cpuOf(
            target,
            pid,
            times(LISTS, () => list),
            1,
          )) / 1000;
      }),
    );
  }
  // Other load on the machine makes a start slower, never faster.
  const least = (of: (one: Started) => number): number => Math.min(...runs.map(of));
  return {
    pods,
    megabytes: etcd.bytes / MEGABYTE,
    wallMs: least((one) => one.wallMs),
    cpuMs: least((one) => one.cpuMs),
    etcdCpuMs: least((one) => one.etcdCpuMs),
    rssMegabytes: Math.max(...runs.map((one) => one.rssMegabytes)),
    peakMegabytes: Math.max(...runs.map((one) => one.peakMegabytes)),
    listMs,
    getMicros,
  };
}

function resultsOf({ pods, megabytes, ...one }: Grown): readonly BenchResult[] {
  const of = `${pods} pods (${megabytes.toFixed(0)} MB) on etcd`;
  const thousands = pods / 1000;
  const memory = (what: string, value: number): BenchResult => ({
    what: `${what}, ${of}`,
    unit: 'MB',
    value,
    floor: megabytes,
    ratio: value / megabytes,
    target: Math.max(1.3 * megabytes, EMPTY_MEGABYTES + 1.3 * megabytes * (pods < 100_000 ? 1 : 0)),
  });
  return [
    // Eight seconds with 150,000 pods on the reference machine.
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

/** Cost per additional object between the two larger sizes, relative to that between the two smaller ones. */
function slopes(all: readonly Grown[]): readonly BenchResult[] {
  const [small, middle, large] = all;
  if (small === undefined || middle === undefined || large === undefined) return [];
  const slope = (a: Grown, b: Grown, of: (one: Grown) => number): number =>
    (of(b) - of(a)) / (b.pods - a.pods);
  const span = `from ${middle.pods} to ${large.pods}, relative to ${small.pods} to ${middle.pods}`;
  const row = (what: string, of: (one: Grown) => number, target: number): BenchResult => {
    const value = slope(middle, large, of) / slope(small, middle, of);
    return { what: `${what} per additional object ${span}`, unit: '×', value, target, note: '1 is linear' };
  };
  return [
    row('CPU of a start', (one) => one.cpuMs, 1.4),
    row('CPU of etcd during a start', (one) => one.etcdCpuMs, 1.6),
    row('RSS after a start', (one) => one.rssMegabytes, 1.2),
    row('CPU of a LIST', (one) => one.listMs, 1.5),
  ];
}

/** Starts and reads with 10,000, 50,000 and 150,000 pods of 4.6 KB in etcd: how cost grows with size. */
export async function growth(context: BenchContext): Promise<readonly BenchResult[]> {
  const all: Grown[] = [];
  for (const pods of SIZES) all.push(await grown(context.certDir, pods));
  const [small] = all;
  const large = all.at(-1);
  const rows = [...all.flatMap(resultsOf), ...slopes(all)];
  if (small === undefined || large === undefined) return rows;
  return [
    ...rows,
    {
      what: `GET one among ${large.pods}, relative to one among ${small.pods}`,
      unit: '×',
      value: large.getMicros / small.getMicros,
      target: 1.3,
    },
  ];
}
