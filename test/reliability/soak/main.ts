/**
 * A long run of a control plane with faults: `make soak HOURS=24`. It can be interrupted; the same command continues it until the
 * hours are over, and `report.md` in its folder is written anew every few minutes.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { programArguments, refuseArguments } from '@orch/testkit/program-arguments';
import { Definitions } from '../threads/definitions.ts';
import { metaOf } from '../threads/follower.ts';
import { SoakCluster } from './cluster.ts';
import { Counters } from './counters.ts';
import { BrokenPromise, FULL_DISK, faults, type Troubled } from './faults.ts';
import { RunRecord } from './record.ts';
import { risingSeries, writeReport } from './report.ts';
import { sample } from './samples.ts';
import { simulateFrom } from './seeds.ts';
import { Watches } from './watches.ts';

const HOUR_MS = 3_600_000;
const SAMPLE_MS = 15_000;
const COMPACTION_MS = 60_000;
const COMPARISON_MS = 300_000;
const PAUSE_MS = 20_000;
const RECOVERY_MS = 180_000;
const COUNTERS = 10;

const promises = [
  'No acknowledged write is lost, none is executed twice, and no read is older than an acknowledged write (counters).',
  'Each watch gets each event once and in order, through all restarts, and its state is that of a list.',
  'Custom resources are served from the creation of their definition to its deletion, by all connections.',
  'After each fault, all servers execute writes and controllers work within three minutes.',
  'Secrets are readable after each rotation of their encryption key.',
  'A webhook that does not answer lets no write pass, and delays only those that it matches.',
  'Clocks of servers and of the manager that differ by up to ten minutes concern no client.',
  'Simulations keep their promises (design 0025); each twentieth seed has the same trace twice.',
];

const usage = `make soak HOURS=N [ARGS='OPTION …']

Runs a control plane under faults, and simulations of ever further seeds beside it. An interrupted run continues: the same command
counts the hours before the interruption.

  --folder=PATH      the record and the report (.soak)
  --no-simulations   leaves out the simulations, which use one core
  --faults=PATTERN   causes only the faults whose names the regular expression finds

Faults:
${Object.keys(faults)
  .map((name) => `  ${name}\n`)
  .join('')}`;

const { values } = programArguments(usage, {
  options: {
    hours: { type: 'string' },
    folder: { type: 'string', default: join(import.meta.dirname, '..', '..', '..', '.soak') },
    'no-simulations': { type: 'boolean', default: false },
    faults: { type: 'string', default: '' },
  },
});
const hours = Number(values.hours);
if (!(hours > 0)) refuseArguments('--hours must be a number above 0');

const record = new RunRecord(join(values.folder, 'record.jsonl'), () => performance.now());
const leftMs = (): number => hours * HOUR_MS - record.elapsedMs;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

const violation = (text: string): void => {
  record.note({ kind: 'violation', text });
  process.stdout.write(`BROKEN: ${text}\n`);
};

/** Repeats work until the run ends. Its failures are noted. */
async function repeat(intervalMs: number, work: () => Promise<void>): Promise<void> {
  while (!stop.signal.aborted) {
    await sleep(intervalMs, undefined, { signal: stop.signal }).catch(() => undefined);
    if (!stop.signal.aborted) await work().catch((error: unknown) => violation(messageOf(error)));
  }
}

/** Causes a fault. One that cannot be caused, on a machine that is too busy, breaks no promise. */
async function cause(name: string, troubled: Troubled): Promise<void> {
  try {
    await faults[name]?.(troubled);
  } catch (error) {
    if (error instanceof BrokenPromise) violation(`${name}: ${error.message}`);
    else {
      record.note({ kind: 'work', counts: { 'faults that could not be caused': 1 } });
      process.stdout.write(`${name} could not be caused: ${messageOf(error)}\n`);
    }
  }
}

function possibleFaults(cluster: SoakCluster): string[] {
  const chosen = new RegExp(values.faults);
  return Object.keys(faults).filter((name) => chosen.test(name) && (name !== FULL_DISK || cluster.disk));
}

/** Causes one fault after the other, each once before one a second time. */
async function disturb(troubled: Troubled): Promise<void> {
  const { cluster, definitions } = troubled;
  let turn: string[] = [];
  await repeat(PAUSE_MS, async () => {
    if (turn.length === 0) turn = possibleFaults(cluster);
    const name = turn.splice(cluster.random.int(turn.length), 1)[0] ?? '';
    const started = performance.now();
    await cause(name, troubled);
    const over = performance.now();
    try {
      await cluster.recovered(RECOVERY_MS);
      const recoveredMs = performance.now() - over;
      record.note({ kind: 'fault', name, lastedMs: over - started, recoveredMs });
      process.stdout.write(`${name}: recovered after ${(recoveredMs / 1000).toFixed(1)} s\n`);
    } catch (error) {
      violation(`${name}: ${messageOf(error)}`);
    }
    for (const text of definitions.violations.splice(0)) violation(text);
  });
}

/** The counts since the last call. */
function counting(counts: () => Record<string, number>): () => Record<string, number> {
  let before = counts();
  return () => {
    const now = counts();
    const since = Object.fromEntries(
      Object.entries(now).map(([name, count]) => [name, count - (before[name] ?? 0)]),
    );
    before = now;
    return since;
  };
}

async function run(cluster: SoakCluster): Promise<void> {
  const { clients, configs, random } = cluster;
  const list = await cluster.any(clients).get('/api/v1/namespaces/default/configmaps');
  const { resourceVersion } = metaOf(list.json);
  const counters = new Counters(clients, random, COUNTERS);
  const watches = new Watches(configs, resourceVersion);
  const definitions = new Definitions(cluster.any(configs), random);
  const work = counting(() => ({
    'acknowledged writes': counters.writes,
    'refused writes': counters.refused,
    'writes with an unknown outcome': counters.unknown,
    'events of watches': watches.events,
    'definitions that came and went': definitions.cycles,
  }));
  await Promise.all([
    counters.run(stop.signal),
    watches.run(stop.signal),
    disturb({ cluster, watches, definitions }),
    repeat(SAMPLE_MS, async () => {
      watches.collect();
      for (const text of [...counters.violations.splice(0), ...watches.violations.splice(0)]) violation(text);
      record.note({ kind: 'sample', series: await sample(cluster) });
      record.note({ kind: 'work', counts: work() });
    }),
    repeat(COMPACTION_MS, () => cause('history compacted', { cluster, watches, definitions })),
    repeat(COMPARISON_MS, () =>
      counters.quietly(async () => {
        const compared = await watches.compare();
        record.note({ kind: 'work', counts: { 'watches that were compared with a list': compared } });
      }),
    ),
    repeat(COMPARISON_MS, async () => writeReport(values.folder, record.entries, promises)),
  ]);
}

/** The next seed, after those of all pieces. */
const nextSeed = (): number =>
  1 +
  record.entries.reduce((sum, entry) => sum + (entry.kind === 'work' ? (entry.counts['seeds'] ?? 0) : 0), 0);

function noteSeeds(seeds: number, failure: string | undefined): void {
  record.note({ kind: 'work', counts: { seeds } });
  if (failure !== undefined) violation(failure);
}

const startedAt = record.elapsedMs;
record.note({ kind: 'piece', date: new Date().toISOString() });
process.stdout.write(
  `${(startedAt / HOUR_MS).toFixed(2)} of ${hours} hours have run; the record is in ${values.folder}\n`,
);
const timer = setTimeout(() => stop.abort(), Math.max(0, leftMs()));
await using cluster = await SoakCluster.start(seededRandom(Date.now() % 2 ** 31));
if (cluster.disk === undefined)
  process.stdout.write(`left out: ${FULL_DISK}, because this user may not mount a small file system\n`);
await Promise.all([
  run(cluster),
  values['no-simulations'] ? undefined : simulateFrom(nextSeed(), noteSeeds, stop.signal),
]);
clearTimeout(timer);
writeReport(values.folder, record.entries, promises);
const broken = record.entries.filter(({ kind }) => kind === 'violation').length;
for (const text of risingSeries(record.entries)) process.stdout.write(`rises: ${text}\n`);
process.stdout.write(`${broken} promises were broken; ${join(values.folder, 'report.md')}\n`);
process.exitCode = broken > 0 ? 1 : 0;
