import { Audience } from '../../lib/audience.ts';
import { compared } from '../../lib/compared.ts';
import { type BenchContext, type Subject, withBody } from '../../lib/context.ts';
import { currentRevision, type Publish, publisher, Rounds } from '../../lib/fan-out.ts';
import { type BenchResult, type Measured, measure } from '../../lib/measure.ts';
import { podOf } from '../../lib/pods.ts';
import { RawConnection } from '../../lib/raw-client.ts';

const WATCHERS = 500;
const WARM_UP_TURNS = 8;
const TURNS = 11;
/** Rounds in each turn, of one update of each pod. */
const ROUNDS = 40;
/** The same number of concurrent writes as in the other results of writes. */
const CONCURRENCY = 16;
/**
 * CPU that the watchers may add to a write on the reference machine, µs: the target was 250 for both together in a run in which
 * the write alone cost 205. The cost of the write is measured in the same run, and changes with what a write does.
 */
const TARGET_MICROS = 45;
const pods = '/api/v1/namespaces/default/pods';

/**
 * Every watch selects the pods of a different node, so that a change matches one of them. Beside the same writes on a server
 * without watchers.
 */
export async function differentSelectors(context: BenchContext): Promise<readonly BenchResult[]> {
  const watched = await context.serverOnEtcd('/bench-selected');
  const alone = await context.serverOnEtcd('/bench-not-selected');
  await using connections = new AsyncDisposableStack();
  const publish = await publisherTo(watched, connections);
  const publishAlone = await publisherTo(alone, connections);
  const rev = await currentRevision(watched, pods);
  const paths = Array.from(
    { length: WATCHERS },
    (_, i) => `/api/v1/pods?watch=1&resourceVersion=${rev}&fieldSelector=spec.nodeName%3Dnode-${i}`,
  );
  using audience = await Audience.open(watched.target, 'h1', paths);
  const rounds = new Rounds({ pid: watched.pid, audience, events: CONCURRENCY, publish });
  let round = 0;
  const runs = {
    watched: () => measure(watched.pid, async () => (await rounds.run(ROUNDS)) * CONCURRENCY),
    alone: (): Promise<Measured> =>
      measure(alone.pid, async () => {
        for (let left = ROUNDS; left > 0; left -= 1) await publishAlone(++round);
        return ROUNDS * CONCURRENCY;
      }),
  };
  await compared(WARM_UP_TURNS, runs);
  const turns = await compared(TURNS, runs);
  const both = turns.watched.median.toFixed(0);
  const write = turns.alone.median;
  return [
    {
      what: `${WATCHERS} watchers with a different field selector each, one update`,
      unit: 'µs CPU',
      value: turns.watched.median - write,
      floor: write,
      target: TARGET_MICROS,
      onReference: true,
      note: `in addition to the same write, a merge patch of a pod of 4.6 KB on etcd, ${CONCURRENCY} in flight, on a server without watchers; ${both} with both; medians of ${TURNS} turns`,
    },
  ];
}

/** Changes one pod over each of several connections at the same time. */
async function publisherTo(subject: Subject, connections: AsyncDisposableStack): Promise<Publish> {
  const publishers: Publish[] = [];
  for (let index = 0; index < CONCURRENCY; index += 1) {
    const pod = podOf(index);
    const seeded = await subject.server.client.post(pods, pod);
    if (seeded.status !== 201) throw new Error(seeded.text);
    const connection = connections.use(await RawConnection.open(subject.target));
    const { name } = pod['metadata'] as { name: string };
    publishers.push(publisher(connection, (round) => annotating(name, round)));
  }
  return async (round) => {
    await Promise.all(publishers.map((one) => one(round)));
  };
}

const annotating = (name: string, round: number): Buffer =>
  withBody(
    'PATCH',
    `${pods}/${name}`,
    `{"metadata":{"annotations":{"round":"${round}"}}}`,
    'application/merge-patch+json',
  );
