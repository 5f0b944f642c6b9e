/** One series of a scrape. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of a scrape by the name of their series. */
export type Exposition = ReadonlyMap<string, readonly MetricSample[]>;

const line = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const label = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads the text format of metrics. Series with other names, and lines that are not samples, are left out. */
export function parseExposition(text: string, names: ReadonlySet<string>): Exposition {
  const series = new Map<string, MetricSample[]>();
  for (const one of text.split('\n')) {
    const [, name, labels = '', value = ''] = line.exec(one) ?? [];
    if (name === undefined || !names.has(name)) continue;
    const samples = series.get(name) ?? [];
    samples.push({ labels: labelsOf(labels), value: Number(value.replace('Inf', 'Infinity')) });
    series.set(name, samples);
  }
  return series;
}

const escapes: Readonly<Record<string, string>> = { n: '\n' };

const labelsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(label)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\\(.)/g, (_, char: string) => escapes[char] ?? char),
    ]),
  );
