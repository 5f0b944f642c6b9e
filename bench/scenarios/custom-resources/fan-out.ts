import { Audience } from '../../lib/audience.ts';
import { besideOther, compared } from '../../lib/compared.ts';
import { type Subject, withBody } from '../../lib/context.ts';
import { currentRevision, type Publish, publisher, Rounds } from '../../lib/fan-out.ts';
import { type BenchResult, type Measured, measure } from '../../lib/measure.ts';
import { RawConnection } from '../../lib/raw-client.ts';
import { copies, pods } from './pod-copies.ts';

const WATCHERS = 300;
const TURNS = 9;
const UPDATES = 100;
const FACTOR = 1.1;

const perEvent = (measured: Measured): Measured => ({ ...measured, cpuPerOp: measured.cpuPerOp / WATCHERS });

/** Changes of one object of a collection. */
async function changes(subject: Subject, path: string): Promise<Publish & Disposable> {
  const connection = await RawConnection.open(subject.target);
  const publish = publisher(connection, (round) =>
    withBody(
      'PATCH',
      `${path}/pod-000001`,
      `{"metadata":{"annotations":{"round":"${round}"}}}`,
      'application/merge-patch+json',
    ),
  );
  return Object.assign(publish, { [Symbol.dispose]: () => connection.close() });
}

async function watched(
  subject: Subject,
  path: string,
  publish: Publish,
): Promise<{ readonly audience: Audience; readonly run: () => Promise<Measured> }> {
  const rev = await currentRevision(subject, path);
  const watch = `${path}?watch=1&resourceVersion=${rev}`;
  const audience = await Audience.open(subject.target, 'h1', Array<string>(WATCHERS).fill(watch));
  const rounds = new Rounds({ pid: subject.pid, audience, events: WATCHERS, publish });
  return {
    audience,
    run: async () => perEvent(await measure(subject.pid, () => rounds.run(UPDATES))),
  };
}

/** One update to many watches, of a pod and of its copy. The cost of the update is included on both sides. */
export async function fanOut(subject: Subject, note: string): Promise<BenchResult> {
  using changePod = await changes(subject, pods);
  using changeCopy = await changes(subject, copies);
  const ofPods = await watched(subject, pods, changePod);
  using podAudience = ofPods.audience;
  const ofCopies = await watched(subject, copies, changeCopy);
  using copyAudience = ofCopies.audience;
  const runs = { builtIn: ofPods.run, custom: ofCopies.run };
  await compared(3, runs);
  const { builtIn, custom } = await compared(TURNS, runs);
  if (podAudience.events !== copyAudience.events)
    throw new Error('the watches received different numbers of events');
  return besideOther(
    {
      what: `custom resource: one update to ${WATCHERS} watchers`,
      unit: 'µs CPU per event',
      factor: FACTOR,
      note: `${note}; with the merge patch`,
    },
    custom,
    builtIn,
  );
}
