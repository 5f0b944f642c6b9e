import { besideOther, compared } from '../../lib/compared.ts';
import { type BenchContext, type Subject, withoutBody } from '../../lib/context.ts';
import { type BenchResult, type Measured, measure } from '../../lib/measure.ts';
import { RawConnection } from '../../lib/raw-client.ts';
import { continued } from '../../lib/repeat.ts';
import { fanOut } from './fan-out.ts';
import { copies, pods, seedPodsAndCopies } from './pod-copies.ts';

/** Enough rounds that a garbage collection in one of them does not affect the median. */
const TURNS = 25;
const FACTOR = 1.1;
const CHUNK = 500;

interface Read {
  readonly what: string;
  readonly unit: 'µs CPU' | 'ms CPU';
  /** The rest of the path after the collection. */
  readonly suffix: string;
  readonly connections: number;
  readonly count: number;
}

const readsOf = (count: number): readonly Read[] => [
  {
    what: 'GET, rv=0',
    unit: 'µs CPU',
    suffix: '/pod-000500?resourceVersion=0',
    connections: 32,
    count: 3000,
  },
  { what: 'GET, resourceVersion unset', unit: 'µs CPU', suffix: '/pod-000500', connections: 32, count: 3000 },
  { what: `LIST ${count}, rv=0`, unit: 'ms CPU', suffix: '?resourceVersion=0', connections: 1, count: 12 },
  { what: `LIST ${count}, unset`, unit: 'ms CPU', suffix: '', connections: 1, count: 12 },
  {
    what: 'LIST by label, 1 %',
    unit: 'µs CPU',
    suffix: '?labelSelector=app%3Dapp-7&resourceVersion=0',
    connections: 1,
    count: 500,
  },
  {
    what: 'LIST by spec.nodeName, 1 %',
    unit: 'µs CPU',
    suffix: '?fieldSelector=spec.nodeName%3Dnode-7&resourceVersion=0',
    connections: 1,
    count: 500,
  },
];

async function read(subject: Subject, { what, unit, suffix, connections, count }: Read, note: string) {
  const of = (path: string): (() => Promise<Measured>) =>
    continued(subject, { connections, count, request: () => withoutBody(`${path}${suffix}`) });
  const runs = { builtIn: of(pods), custom: of(copies) };
  await compared(3, runs);
  const { builtIn, custom } = await compared(TURNS, runs);
  return besideOther({ what: `custom resource: ${what}`, unit, factor: FACTOR, note }, custom, builtIn);
}

/** Reads a whole list in chunks over one connection. */
async function inChunks(connection: RawConnection, path: string): Promise<void> {
  let token = '';
  do {
    const query = `${path}?limit=${CHUNK}${token === '' ? '' : `&continue=${token}`}`;
    const { status, beginning } = await connection.exchange(withoutBody(query));
    if (status !== 200) throw new Error(`${query}: ${status} ${beginning}`);
    token = /"continue":"([^"]+)"/.exec(beginning)?.[1] ?? '';
  } while (token !== '');
}

async function readInChunks({ pid, target }: Subject, total: number, note: string): Promise<BenchResult> {
  using connection = await RawConnection.open(target);
  const of = (path: string) => (): Promise<Measured> =>
    measure(pid, async () => {
      for (let list = 0; list < 6; list += 1) await inChunks(connection, path);
      return 6;
    });
  const runs = { builtIn: of(pods), custom: of(copies) };
  await compared(3, runs);
  const { builtIn, custom } = await compared(TURNS, runs);
  const what = `custom resource: LIST in chunks of ${CHUNK}, all ${total}`;
  return besideOther({ what, unit: 'ms CPU', factor: FACTOR, note }, custom, builtIn);
}

/** Reads of custom resources beside those of pods with the same fields and bytes. */
export async function customReads(context: BenchContext, count: number): Promise<readonly BenchResult[]> {
  const subject = await context.serverOnEtcd('/bench-custom-reads');
  const { podBytes, copyBytes } = await seedPodsAndCopies(subject, count);
  const note = `beside pods with the same fields, ${(copyBytes / podBytes).toFixed(3)} times their bytes`;
  const rows: BenchResult[] = [];
  for (const one of readsOf(count)) rows.push(await read(subject, one, note));
  rows.push(await readInChunks(subject, count, note), await fanOut(subject, note));
  return rows;
}
