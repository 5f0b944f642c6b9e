import { Audience } from '../../lib/audience.ts';
import {
  type BenchContext,
  type Floor,
  type Subject,
  seedPods,
  withBody,
  withoutBody,
} from '../../lib/context.ts';
import { currentRevision, publisher, Rounds } from '../../lib/fan-out.ts';
import { type BenchResult, inTurns, type Measured, measure } from '../../lib/measure.ts';
import { configMapOf } from '../../lib/pods.ts';
import { Clients, RawConnection } from '../../lib/raw-client.ts';

const PODS = 100;
/** About the sizes of a stored pod and of a stored config map. */
const POD_BYTES = 4600;
const MAP_BYTES = 1000;
/** The kernel divides connections by their addresses: the more there are, the more equal are the parts. */
const CONNECTIONS = 256;
const WARM_UP_TURNS = 10;
const TURNS = 12;
const MOST_CPU = 1.08;

const pods = '/api/v1/namespaces/default/pods';
const maps = '/api/v1/namespaces/default/configmaps';

interface Operation {
  readonly name: string;
  /** Operations in each turn. */
  readonly count: number;
  /** Least throughput of two threads, in multiples of that of one. */
  readonly least: number;
  request(index: number): Buffer;
  /** A request to a bare server, whose answer is about as large. */
  bare(index: number): Buffer;
}

const podPath = (index: number): string => `${pods}/pod-${String(index % PODS).padStart(6, '0')}`;

const bodyOf = (index: number): string => JSON.stringify(configMapOf(`c-${index}`));

const operations: readonly Operation[] = [
  {
    name: 'GET',
    count: 3000,
    least: 1.8,
    request: (i) => withoutBody(podPath(i)),
    bare: () => withoutBody(`/${POD_BYTES}`),
  },
  {
    // Without the questions about the newest revision, of which each thread asks its own.
    name: 'GET, resourceVersion=0',
    count: 3000,
    least: 1.8,
    request: (i) => withoutBody(`${podPath(i)}?resourceVersion=0`),
    bare: () => withoutBody(`/${POD_BYTES}`),
  },
  {
    name: `LIST of ${PODS} pods`,
    count: 400,
    least: 1.8,
    request: () => withoutBody(pods),
    bare: () => withoutBody(`/${PODS * POD_BYTES}`),
  },
  {
    name: 'CREATE',
    count: 1000,
    least: 1.6,
    request: (i) => withBody('POST', maps, bodyOf(i)),
    bare: (i) => withBody('POST', `/${MAP_BYTES}`, bodyOf(i)),
  },
];

type Run = () => Promise<Measured>;

/** Each call sends the next requests, over the same connections. */
function requests(
  { pid, target }: Pick<Subject | Floor, 'pid' | 'target'>,
  { name, count }: Operation,
  request: (index: number) => Buffer,
): Run {
  const clients = new Clients(target, CONNECTIONS);
  let next = 0;
  return async () => {
    await clients.connect();
    const end = next + count;
    return await measure(pid, async () => {
      const statuses = await clients.drive(() => (next < end ? request(next++) : undefined));
      const refused = [...statuses].filter(([status]) => status !== 200 && status !== 201);
      if (refused.length > 0) throw new Error(`${name}: ${JSON.stringify(refused)}`);
      return count;
    });
  };
}

/** Each call updates a watched object several times; an operation is an event that one watch receives. */
async function deliveries(subject: Subject, stack: AsyncDisposableStack): Promise<Run> {
  const updates = 10;
  const object = configMapOf('watched');
  await subject.server.client.post(maps, object);
  const rev = await currentRevision(subject, maps);
  const path = `${maps}?watch=1&resourceVersion=${rev}&fieldSelector=metadata.name%3Dwatched`;
  const audience = stack.use(
    await Audience.open(subject.target, 'h1', Array<string>(CONNECTIONS).fill(path)),
  );
  const connection = stack.use(await RawConnection.open(subject.target));
  const publish = publisher(connection, (round) =>
    withBody('PUT', `${maps}/watched`, JSON.stringify(configMapOf('watched', round))),
  );
  const rounds = new Rounds({ pid: subject.pid, audience, events: CONNECTIONS, publish });
  return () => measure(subject.pid, async () => (await rounds.run(updates)) * CONNECTIONS);
}

interface Compared {
  readonly name: string;
  /** Least throughput of two threads, in multiples of that of one. */
  readonly least: number;
  readonly one: Run;
  readonly two: Run;
  /** Bare servers in one and in two threads. */
  readonly bare?: readonly [Run, Run];
}

/**
 * The cost of an operation, and the throughput when every thread has a core: the busiest thread limits it. Bare servers show what two
 * threads cost on this machine when they share nothing.
 */
async function comparison({ name, least, one, two, bare }: Compared): Promise<BenchResult[]> {
  const runs = [one, two, ...(bare ?? [])] as const;
  await inTurns(WARM_UP_TURNS, runs);
  const [ofOne, ofTwo, ofBareOne, ofBareTwo] = await inTurns(TURNS, runs);
  const ratio = ofTwo.cpuPerOp / ofOne.cpuPerOp;
  const rows: BenchResult[] = [
    {
      what: `${name}, two threads`,
      unit: 'µs CPU',
      value: ofTwo.cpuPerOp,
      floor: ofOne.cpuPerOp,
      ratio,
      target: MOST_CPU * ofOne.cpuPerOp,
      note: 'floor: one thread',
    },
    {
      what: `${name}: throughput of two threads`,
      unit: '×',
      value: ofOne.busiestPerOp / ofTwo.busiestPerOp,
      target: least,
      atLeast: true,
      note: `of one thread, by the CPU of the busiest: ${ofOne.busiestPerOp.toFixed(1)} and ${ofTwo.busiestPerOp.toFixed(1)} µs`,
    },
  ];
  if (ofBareOne === undefined || ofBareTwo === undefined) return rows;
  const floor = ofBareTwo.cpuPerOp / ofBareOne.cpuPerOp;
  rows.push({
    what: `${name}: what two threads add to one, relative to two bare servers that share nothing`,
    unit: '×',
    value: ratio / floor,
    target: MOST_CPU,
    note: `bare HTTPS in two threads: ${floor.toFixed(2)} times the CPU of one, and ${(ofBareOne.busiestPerOp / ofBareTwo.busiestPerOp).toFixed(2)} times its throughput`,
  });
  return rows;
}

/** What a second thread adds. The client shares the cores with the server, so that threads are measured by their CPU time. */
export async function throughput(context: BenchContext): Promise<readonly BenchResult[]> {
  await using stack = new AsyncDisposableStack();
  const one = await context.serverOnEtcd('/bench-one-thread');
  const two = await context.serverOnEtcd('/bench-two-threads', ['--threads=2']);
  const bareOne = await context.threadedFloor(1);
  const bareTwo = await context.threadedFloor(2);
  for (const subject of [one, two]) await seedPods(subject, PODS);
  const rows: BenchResult[] = [];
  for (const operation of operations) {
    const { name, least, request, bare } = operation;
    const compared = {
      one: requests(one, operation, request),
      two: requests(two, operation, request),
      bare: [requests(bareOne, operation, bare), requests(bareTwo, operation, bare)] as const,
    };
    rows.push(...(await comparison({ name, least, ...compared })));
  }
  const watched = { one: await deliveries(one, stack), two: await deliveries(two, stack) };
  rows.push(...(await comparison({ name: 'watch event', least: 1.8, ...watched })));
  return rows;
}
