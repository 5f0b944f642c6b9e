import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plotOf } from './plot.ts';
import type { Entry } from './record.ts';
import { isRising, type Point, slopeOf } from './slope.ts';

const HOUR_MS = 3_600_000;
/** Programs reach their working size in this time after the start of a piece. */
const WARM_MS = 300_000;

/** Series of programs that faults restart, so that their slopes say little. */
const restarted = /of (server \d+|manager|etcd \w+)$/;

/** The measured series by the picture that shows them: a name of a series is `quantity of program`. */
const pictures: Readonly<Record<string, { readonly title: string; readonly unit: string }>> = {
  memory: { title: 'Resident memory', unit: 'MiB' },
  descriptors: { title: 'Open descriptors', unit: 'number' },
  delay: { title: 'Delay of the event loop, 99 of 100', unit: 'ms' },
  store: { title: 'Size of the store', unit: 'MiB' },
};

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

const entriesOf = <K extends Entry['kind']>(entries: readonly Entry[], kind: K): readonly Of<K>[] =>
  entries.filter((entry): entry is Of<K> => entry.kind === kind);

/** The points of each series. */
function seriesOf(entries: readonly Entry[]): ReadonlyMap<string, readonly Point[]> {
  const points = entriesOf(entries, 'sample').flatMap(({ at, series }) =>
    Object.entries(series).map(([name, y]) => ({ name, x: at / HOUR_MS, y })),
  );
  return Map.groupBy(points, ({ name }) => name);
}

/** Series without the first minutes of each piece. */
function warm(entries: readonly Entry[]): readonly Entry[] {
  let started = 0;
  return entries.filter((entry) => {
    if (entry.kind === 'piece') started = entry.at;
    return entry.at - started >= WARM_MS;
  });
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
const figure = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en');

function faultRows(entries: readonly Entry[]): readonly string[] {
  const byName = Map.groupBy(entriesOf(entries, 'fault'), ({ name }) => name);
  return [...byName].toSorted().map(([name, all]) => {
    const times = all.map(({ recoveredMs }) => recoveredMs).sort((a, b) => a - b);
    const median = times[times.length >> 1] ?? 0;
    return `| ${name} | ${all.length} | ${seconds(median)} s | ${seconds(times.at(-1) ?? 0)} s |`;
  });
}

/** The series that grow, as sentences: of the store, and of programs that run as long as the run. */
export function risingSeries(entries: readonly Entry[]): readonly string[] {
  return [...seriesOf(warm(entries))].flatMap(([name, points]) => {
    const slope = slopeOf(points);
    return slope !== undefined && isRising(slope) && !restarted.test(name)
      ? [`${name}: ${figure(slope.perUnit)} an hour`]
      : [];
  });
}

function slopeRows(entries: readonly Entry[]): readonly string[] {
  return [...seriesOf(warm(entries))].toSorted().map(([name, points]) => {
    const slope = slopeOf(points);
    if (slope === undefined) return `| ${name} | | | too few samples |`;
    const { perUnit, error, mean } = slope;
    const rises = restarted.test(name) ? 'rises; restarted by faults' : '**rises**';
    const verdict = isRising(slope) ? rises : 'does not rise';
    return `| ${name} | ${figure(mean)} | ${figure(perUnit)} ± ${figure(error)} | ${verdict} |`;
  });
}

function workRows(entries: readonly Entry[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { counts } of entriesOf(entries, 'work'))
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums].map(([name, sum]) => `| ${name} | ${sum.toLocaleString('en')} |`);
}

/** Writes `report.md` and its pictures. */
export function writeReport(folder: string, entries: readonly Entry[], promises: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const series = seriesOf(entries);
  const names = Object.keys(pictures).filter((name) =>
    [...series.keys()].some((one) => one.startsWith(`${name} `)),
  );
  for (const name of names) {
    const own = [...series].filter(([one]) => one.startsWith(`${name} `));
    const lines = new Map(own.map(([one, points]) => [one.replace(/^\w+ of /, ''), points]));
    writeFileSync(
      join(folder, `${name}.svg`),
      plotOf({ ...(pictures[name] ?? { title: name, unit: '' }), lines }),
    );
  }
  const pieces = entriesOf(entries, 'piece');
  const violations = entriesOf(entries, 'violation');
  const hours = ((entries.at(-1)?.at ?? 0) / HOUR_MS).toFixed(2);
  const text = [
    '# Report of a soak run',
    '',
    `${hours} hours in ${pieces.length} pieces, which began ${pieces.map(({ date }) => date).join(', ')}.`,
    '',
    violations.length === 0 ? 'No promise was broken.' : `**${violations.length} promises were broken:**`,
    ...violations.slice(0, 50).map(({ at, text: what }) => `- after ${seconds(at)} s: ${what}`),
    '',
    '## Promises',
    '',
    ...promises.map((promise) => `- ${promise}`),
    '',
    '## Faults',
    '',
    '| fault | times | recovery, median | recovery, longest |',
    '| --- | --- | --- | --- |',
    ...faultRows(entries),
    '',
    '## Work',
    '',
    '| what | number |',
    '| --- | --- |',
    ...workRows(entries),
    '',
    '## Slopes',
    '',
    `Without the first ${WARM_MS / 60_000} minutes of each piece. A value rises if its slope exceeds its error and a hundredth of its mean in an hour.`,
    '',
    '| series | mean | slope in an hour | |',
    '| --- | --- | --- | --- |',
    ...slopeRows(entries),
    '',
    ...names.map((name) => `![${pictures[name]?.title}](${name}.svg)`),
    '',
  ];
  writeFileSync(join(folder, 'report.md'), text.join('\n'));
}
