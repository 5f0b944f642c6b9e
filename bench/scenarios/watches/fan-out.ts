import { namesFor } from '@orch/machinery';
import { Audience, type Protocol } from '../../lib/audience.ts';
import { compared } from '../../lib/compared.ts';
import type { BenchContext, Subject } from '../../lib/context.ts';
import { withBody } from '../../lib/context.ts';
import { currentRevision, type Publish, publisher, Rounds } from '../../lib/fan-out.ts';
import { againstFloor, type BenchResult, type Measured, measure } from '../../lib/measure.ts';
import { configMapOf } from '../../lib/pods.ts';
import { RawConnection, type RawTarget } from '../../lib/raw-client.ts';

const WATCHERS = 500;
const WARM_UP = 480;
const TURNS = 9;
/** Updates in each turn. */
const UPDATES = 60;
/** Maximum CPU relative to a bare server. */
const FACTOR = 1.5;

const mapsIn = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
const watched = mapsIn('default');
const unwatched = mapsIn(namesFor('kubernetes').namespaces.system);

/** One update to 500 watchers, beside a bare server that writes the same bytes to as many streams. */
export async function fanOut(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverOnEtcd('/bench-watches');
  const seed = await seeded(subject, watched);
  await seeded(subject, unwatched);
  const event = Buffer.from(`{"type":"MODIFIED","object":${JSON.stringify(seed)}}\n`);
  return [
    await delivered(context, { subject, event }, 'h1', 'a TLS connection each'),
    await delivered(context, { subject, event }, 'h2', 'over 5 HTTP/2 connections'),
  ];
}

/** Config maps have the same size in each namespace. */
function configMap(revision: number): object {
  const { metadata, ...rest } = configMapOf('watched', revision);
  const { namespace: _, ...fields } = metadata as Record<string, unknown>;
  return { ...rest, metadata: fields };
}

async function seeded({ server }: Subject, path: string): Promise<unknown> {
  const { status, json, text } = await server.client.post(path, configMap(0));
  if (status !== 201) throw new Error(`config map: ${text}`);
  return json;
}

const publishTo = (connection: RawConnection, path: string): Publish =>
  publisher(connection, (round) => withBody('PUT', `${path}/watched`, JSON.stringify(configMap(round))));

interface FannedOut {
  readonly subject: Subject;
  readonly event: Buffer;
}

async function delivered(
  context: BenchContext,
  { subject, event }: FannedOut,
  protocol: Protocol,
  how: string,
): Promise<BenchResult> {
  using connection = await RawConnection.open(subject.target);
  const rev = await currentRevision(subject, watched);
  const path = `${watched}?watch=1&resourceVersion=${rev}`;
  using audience = await Audience.open(subject.target, protocol, Array<string>(WATCHERS).fill(path));
  const floor = await context.floor(protocol);
  const control: RawTarget = { host: floor.target.host, port: floor.controlPort };
  using others = await Audience.open(floor.target, protocol, Array<string>(WATCHERS).fill('/watch'));
  using toFloor = await RawConnection.open(control);
  const ours = { pid: subject.pid, audience, events: WATCHERS, publish: publishTo(connection, watched) };
  const post = publisher(toFloor, () => withBody('POST', '/event', event));
  const bare = { pid: floor.pid, audience: others, events: WATCHERS, publish: post };
  const write = publishTo(connection, unwatched);
  const runs = {
    ours: turnsOf(subject.pid, new Rounds(ours)),
    bare: turnsOf(floor.pid, new Rounds(bare)),
    write: () => measure(subject.pid, () => repeated(write)),
  };
  await compared(WARM_UP / UPDATES, runs);
  const turns = await compared(TURNS, runs);
  const writing = turns.write.median / WATCHERS;
  return againstFloor(`one update to ${WATCHERS} watchers, ${how}`, 'µs CPU per event', {
    value: turns.ours.median / WATCHERS - writing,
    floor: turns.bare.median / WATCHERS,
    factor: FACTOR,
    note: `delivery only: the PUT on etcd of an object that is not watched, ${writing.toFixed(2)} per event, is subtracted; medians of ${TURNS} turns`,
  });
}

const turnsOf =
  (pid: number, rounds: Rounds): (() => Promise<Measured>) =>
  () =>
    measure(pid, () => rounds.run(UPDATES));

/** Updates that no watch receives. */
async function repeated(publish: Publish): Promise<number> {
  for (let round = 0; round < UPDATES; round += 1) await publish(round);
  return UPDATES;
}
