import { Audience, type Protocol } from '../lib/audience.ts';
import type { BenchContext, Subject } from '../lib/context.ts';
import { withBody } from '../lib/context.ts';
import { againstFloor, measure, type Row } from '../lib/measure.ts';
import { configMapOf, podOf } from '../lib/pods.ts';
import { RawConnection, type RawTarget } from '../lib/raw-client.ts';

const watchers = 500;
const updates = 600;
const warmUp = 600;
const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';

/** Publishes one change and returns when it is acknowledged. */
type Publish = (round: number) => Promise<void>;

/** CPU per round: `updates` changes, each awaited until the audience has got all its events. */
async function rounds(pid: number, audience: Audience, events: number, publish: Publish): Promise<number> {
  let expected = audience.events;
  const run = async (first: number, count: number): Promise<number> => {
    for (let round = first; round < first + count; round += 1) {
      expected += events;
      await publish(round);
      await audience.until(expected);
    }
    return count;
  };
  await run(1, warmUp);
  const { cpuPerOp } = await measure(pid, () => run(1 + warmUp, updates));
  if (audience.events !== expected) throw new Error(`${audience.events} events instead of ${expected}`);
  return cpuPerOp;
}

/** CPU of the same changes, one at a time, while nobody watches. */
async function alone(pid: number, publish: Publish): Promise<number> {
  const run = async (first: number): Promise<number> => {
    for (let round = first; round < first + 1000; round += 1) await publish(round);
    return 1000;
  };
  await run(10_000);
  return (await measure(pid, () => run(20_000))).cpuPerOp;
}

/** A publisher with a connection of its own. */
function publisher(connection: RawConnection, request: (round: number) => Buffer): Publish {
  return async (round) => {
    const { status, beginning } = await connection.exchange(request(round));
    if (status !== 200) throw new Error(`publishing: ${status} ${beginning}`);
  };
}

async function currentRevision(subject: Subject, path: string): Promise<string> {
  const answer = await subject.server.client.get(`${path}?limit=1`);
  return (answer.json as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

const publishConfigMap = (connection: RawConnection): Publish =>
  publisher(connection, (round) =>
    withBody('PUT', `${configMaps}/watched`, JSON.stringify(configMapOf('watched', round))),
  );

async function fromServer(subject: Subject, protocol: Protocol): Promise<number> {
  using connection = await RawConnection.open(subject.target);
  const rev = await currentRevision(subject, configMaps);
  const path = `${configMaps}?watch=1&resourceVersion=${rev}`;
  using audience = await Audience.open(subject.target, protocol, Array<string>(watchers).fill(path));
  return (await rounds(subject.pid, audience, watchers, publishConfigMap(connection))) / watchers;
}

async function fromFloor(context: BenchContext, protocol: Protocol, event: Buffer): Promise<number> {
  const floor = await context.floor(protocol);
  const control: RawTarget = { host: floor.target.host, port: floor.controlPort };
  using audience = await Audience.open(floor.target, protocol, Array<string>(watchers).fill('/watch'));
  using connection = await RawConnection.open(control);
  const publish = publisher(connection, () => withBody('POST', '/event', event));
  return (await rounds(floor.pid, audience, watchers, publish)) / watchers;
}

/** As many writes at a time as in the other rows of writes. */
const inFlight = 16;

/** Every watcher wants the pods of another node, so that a change concerns one of them. */
async function withSelectors(subject: Subject): Promise<Row> {
  await using connections = new AsyncDisposableStack();
  const publishers: Publish[] = [];
  for (let index = 0; index < inFlight; index += 1) {
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
  const write = (await alone(subject.pid, publish)) / inFlight;
  const rev = await currentRevision(subject, pods);
  const paths = Array.from(
    { length: watchers },
    (_, i) => `/api/v1/pods?watch=1&resourceVersion=${rev}&fieldSelector=spec.nodeName%3Dnode-${i}`,
  );
  using audience = await Audience.open(subject.target, 'h1', paths);
  const watched = (await rounds(subject.pid, audience, inFlight, publish)) / inFlight;
  return {
    what: `${watchers} watchers with a different field selector each, one update`,
    unit: 'µs CPU',
    value: watched,
    floor: write,
    ratio: watched / write,
    target: 250,
    onReference: true,
    note: `floor: the same write, a merge patch of a pod of 4.6 KB on etcd, ${inFlight} in flight, without watchers; the value has both`,
  };
}

/** One update to 500 watchers over TLS and HTTP/2, and 500 watchers with a different selector each. */
export async function watches(context: BenchContext): Promise<readonly Row[]> {
  const subject = await context.serverOnEtcd('/bench-watches');
  const seed = await subject.server.client.post(configMaps, configMapOf('watched'));
  if (seed.status !== 201) throw new Error(seed.text);
  const event = Buffer.from(`{"type":"MODIFIED","object":${JSON.stringify(seed.json)}}\n`);
  const rows: Row[] = [];
  using connection = await RawConnection.open(subject.target);
  const write = (await alone(subject.pid, publishConfigMap(connection))) / watchers;
  for (const [protocol, how] of [
    ['h1', 'a TLS connection each'],
    ['h2', 'over 5 HTTP/2 connections'],
  ] as const) {
    const ours = (await fromServer(subject, protocol)) - write;
    const bare = await fromFloor(context, protocol, event);
    const note = `delivery alone: the PUT on etcd of each update, ${write.toFixed(2)} per event, is taken off`;
    rows.push(
      againstFloor(`one update to ${watchers} watchers, ${how}`, 'µs CPU per event', ours, bare, 1.5, note),
    );
  }
  rows.push(await withSelectors(subject));
  return rows;
}
