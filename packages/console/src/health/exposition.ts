import { atOnce, Pace, type Work } from '@orch/machinery/concurrency';

/** One series of a scrape. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of a scrape by the name of their series. */
export type Exposition = ReadonlyMap<string, readonly MetricSample[]>;

const sample = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const label = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads the text format of metrics. Series with other names, and lines that are not samples, are left out. */
export const parseExposition = (text: string, names: ReadonlySet<string>): Exposition =>
  atOnce(expositionIn(text, names));

/** The same in pieces: the metrics of a large server have some ten thousand lines. */
export function* expositionIn(text: string, names: ReadonlySet<string>): Work<Exposition> {
  const pace = new Pace();
  const series = new Map<string, MetricSample[]>();
  for (let from = 0; from < text.length; ) {
    if (pace.isDue()) yield;
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end);
    from += line.length + 1;
    // Most lines of a large server are series of other names, which cost no more than their name.
    if (!names.has(nameOf(line))) continue;
    const [, name, labels = '', value = ''] = sample.exec(line) ?? [];
    if (name === undefined) continue;
    const samples = series.get(name) ?? [];
    samples.push({ labels: labelsOf(labels), value: Number(value.replace('Inf', 'Infinity')) });
    series.set(name, samples);
  }
  return series;
}

/** The text of a line before its labels or its value. */
function nameOf(line: string): string {
  for (let i = 0; i < line.length; i++) {
    const char = line[i];
    if (char === '{' || char === ' ') return line.slice(0, i);
  }
  return line;
}

const escapes: Readonly<Record<string, string>> = { n: '\n' };

const labelsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(label)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\\(.)/g, (_, char: string) => escapes[char] ?? char),
    ]),
  );
