import { Audience, type Protocol } from '../lib/audience.ts';
import type { BenchContext, Subject } from '../lib/context.ts';
import { withBody } from '../lib/context.ts';
import { currentRevision, type Publish, publisher, Rounds } from '../lib/fan-out.ts';
import { againstFloor, type BenchResult, measure } from '../lib/measure.ts';
import { configMapOf, podOf } from '../lib/pods.ts';
import { RawConnection, type RawTarget } from '../lib/raw-client.ts';

const WATCHERS = 500;
const UPDATES = 600;
const WARM_UP = 600;
/** The server and the floor are measured in alternating rounds, so that other load on the machine affects both. */
const ROUNDS = 6;
const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';

/** CPU per change for several targets, in alternating rounds. */
async function inTurns<const T extends readonly Rounds[]>(
  all: T,
): Promise<{ readonly [I in keyof T]: number }> {
  const sums = all.map(() => 0);
  for (const rounds of all) await rounds.run(WARM_UP);
  for (let turn = 0; turn < ROUNDS; turn += 1)
    for (const [index, rounds] of all.entries())
      sums[index] = (sums[index] ?? 0) + (await rounds.measure(UPDATES / ROUNDS)) / ROUNDS;
  return sums as unknown as { readonly [I in keyof T]: number };
}

/** CPU of the same changes, one at a time, without watches. */
async function alone(pid: number, publish: Publish): Promise<number> {
  const run = async (first: number): Promise<number> => {
    for (let round = first; round < first + 1000; round += 1) await publish(round);
    return 1000;
  };
  await run(10_000);
  return (await measure(pid, () => run(20_000))).cpuPerOp;
}

const publishConfigMap = (connection: RawConnection): Publish =>
  publisher(connection, (round) =>
    withBody('PUT', `${configMaps}/watched`, JSON.stringify(configMapOf('watched', round))),
  );

/** CPU per event of the server and of the floor. */
async function delivered(
  context: BenchContext,
  subject: Subject,
  protocol: Protocol,
  event: Buffer,
): Promise<{ readonly ours: number; readonly bare: number }> {
  using connection = await RawConnection.open(subject.target);
  const rev = await currentRevision(subject, configMaps);
  const path = `${configMaps}?watch=1&resourceVersion=${rev}`;
  using audience = await Audience.open(subject.target, protocol, Array<string>(WATCHERS).fill(path));
  const floor = await context.floor(protocol);
  const control: RawTarget = { host: floor.target.host, port: floor.controlPort };
  using others = await Audience.open(floor.target, protocol, Array<string>(WATCHERS).fill('/watch'));
  using toFloor = await RawConnection.open(control);
  const publish = publisher(toFloor, () => withBody('POST', '/event', event));
  const [ours, bare] = await inTurns([
    new Rounds({
      pid: subject.pid,
      audience,
      events: WATCHERS,
      publish: publishConfigMap(connection),
    }),
    new Rounds({ pid: floor.pid, audience: others, events: WATCHERS, publish }),
  ]);
  return { ours: ours / WATCHERS, bare: bare / WATCHERS };
}

/** The same number of concurrent writes as in the other results of writes. */
const CONCURRENCY = 16;

/** Every watch selects the pods of a different node, so that a change matches one of them. */
async function withSelectors(subject: Subject): Promise<BenchResult> {
  await using connections = new AsyncDisposableStack();
  const publishers: Publish[] = [];
  for (let index = 0; index < CONCURRENCY; index += 1) {
    const pod = podOf(index);
    const seeded = await subject.server.client.post(pods, pod);
    if (seeded.status !== 201) throw new Error(seeded.text);
    const connection = connections.use(await RawConnection.open(subject.target));
    const { name } = pod['metadata'] as { name: string };
    publishers.push(
      publisher(connection, (round) =>
        withBody(
          'PATCH',
          `${pods}/${name}`,
          `{"metadata":{"annotations":{"round":"${round}"}}}`,
          'application/merge-patch+json',
        ),
      ),
    );
  }
  const publish: Publish = async (round) => {
    await Promise.all(publishers.map((one) => one(round)));
  };
  const write = (await alone(subject.pid, publish)) / CONCURRENCY;
  const rev = await currentRevision(subject, pods);
  const paths = Array.from(
    { length: WATCHERS },
    (_, i) => `/api/v1/pods?watch=1&resourceVersion=${rev}&fieldSelector=spec.nodeName%3Dnode-${i}`,
  );
  using audience = await Audience.open(subject.target, 'h1', paths);
  const rounds = new Rounds({ pid: subject.pid, audience, events: CONCURRENCY, publish });
  await rounds.run(WARM_UP);
  const watched = (await rounds.measure(UPDATES)) / CONCURRENCY;
  return {
    what: `${WATCHERS} watchers with a different field selector each, one update`,
    unit: 'µs CPU',
    value: watched,
    floor: write,
    ratio: watched / write,
    target: 250,
    onReference: true,
    note: `floor: the same write, a merge patch of a pod of 4.6 KB on etcd, ${CONCURRENCY} in flight, without watchers; the value has both`,
  };
}

/** One update to 500 watchers over TLS and HTTP/2, and 500 watchers with a different selector each. */
export async function watches(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverOnEtcd('/bench-watches');
  const seed = await subject.server.client.post(configMaps, configMapOf('watched'));
  if (seed.status !== 201) throw new Error(seed.text);
  const event = Buffer.from(`{"type":"MODIFIED","object":${JSON.stringify(seed.json)}}\n`);
  const rows: BenchResult[] = [];
  using connection = await RawConnection.open(subject.target);
  const write = (await alone(subject.pid, publishConfigMap(connection))) / WATCHERS;
  for (const [protocol, how] of [
    ['h1', 'a TLS connection each'],
    ['h2', 'over 5 HTTP/2 connections'],
  ] as const) {
    const { ours, bare } = await delivered(context, subject, protocol, event);
    const note = `delivery only: the PUT of each update on etcd, ${write.toFixed(2)} per event, is subtracted`;
    rows.push(
      againstFloor(`one update to ${WATCHERS} watchers, ${how}`, 'µs CPU per event', {
        value: ours - write,
        floor: bare,
        factor: 1.5,
        note,
      }),
    );
  }
  rows.push(await withSelectors(subject));
  return rows;
}
