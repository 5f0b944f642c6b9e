import { Audience } from '../../lib/audience.ts';
import { type BenchContext, type Subject, seedPods, withBody, withoutBody } from '../../lib/context.ts';
import { currentRevision, publisher, Rounds } from '../../lib/fan-out.ts';
import { type BenchResult, inTurns, type Measured, measure } from '../../lib/measure.ts';
import { configMapOf } from '../../lib/pods.ts';
import { Clients, RawConnection } from '../../lib/raw-client.ts';

const PODS = 100;
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
}

const operations: readonly Operation[] = [
  {
    name: 'GET',
    count: 3000,
    least: 1.8,
    request: (i) => withoutBody(`${pods}/pod-${String(i % PODS).padStart(6, '0')}`),
  },
  { name: `LIST of ${PODS} pods`, count: 400, least: 1.8, request: () => withoutBody(pods) },
  {
    name: 'CREATE',
    count: 1000,
    least: 1.6,
    request: (i) => withBody('POST', maps, JSON.stringify(configMapOf(`c-${i}`))),
  },
];

type Run = () => Promise<Measured>;

/** Each call sends the next requests, over the same connections. */
function requests({ pid, target }: Subject, { name, count, request }: Operation): Run {
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

/** The cost of an operation, and the throughput when every thread has a core: the busiest thread limits it. */
async function comparison(name: string, least: number, runs: readonly [Run, Run]): Promise<BenchResult[]> {
  await inTurns(WARM_UP_TURNS, runs);
  const [one, two] = await inTurns(TURNS, runs);
  const ratio = two.cpuPerOp / one.cpuPerOp;
  return [
    {
      what: `${name}, two threads`,
      unit: 'µs CPU',
      value: two.cpuPerOp,
      floor: one.cpuPerOp,
      ratio,
      target: MOST_CPU * one.cpuPerOp,
      note: 'floor: one thread',
    },
    {
      what: `${name}: throughput of two threads`,
      unit: '×',
      value: one.busiestPerOp / two.busiestPerOp,
      target: least,
      atLeast: true,
      note: `of one thread, by the CPU of the busiest: ${one.busiestPerOp.toFixed(1)} and ${two.busiestPerOp.toFixed(1)} µs`,
    },
  ];
}

/** What a second thread adds. The client shares the cores with the server, so that threads are measured by their CPU time. */
export async function throughput(context: BenchContext): Promise<readonly BenchResult[]> {
  await using stack = new AsyncDisposableStack();
  const one = await context.serverOnEtcd('/bench-one-thread');
  const two = await context.serverOnEtcd('/bench-two-threads', ['--threads=2']);
  for (const subject of [one, two]) await seedPods(subject, PODS);
  const rows: BenchResult[] = [];
  for (const operation of operations)
    rows.push(
      ...(await comparison(operation.name, operation.least, [
        requests(one, operation),
        requests(two, operation),
      ])),
    );
  const runs = [await deliveries(one, stack), await deliveries(two, stack)] as const;
  rows.push(...(await comparison('watch event', 1.8, runs)));
  return rows;
}
