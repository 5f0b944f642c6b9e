import { atOnce, Pace, type Work } from '../concurrency/index.ts';
import { messageOf } from '../error-message.ts';
import type { Logger } from '../log.ts';
import type {
  Family,
  MetricDefinition,
  Metrics,
  MetricsFormat,
  MetricsSource,
  MetricType,
} from '../metrics.ts';
import { addText, type Exposition } from './exposition-format.ts';
import { MetricFamily } from './family.ts';
import { helpIn, isVisible, type MetricRelease, metricStage } from './metric-lifecycle.ts';
import type { PeerSamples } from './peer-samples.ts';
import { Counter, Gauge, Histogram, type Printable } from './series.ts';

const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelPattern = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

function check(definition: MetricDefinition): void {
  const { name, labels = [], buckets = [] } = definition;
  if (!namePattern.test(name)) throw new TypeError(`invalid metric name ${JSON.stringify(name)}`);
  for (const label of labels) {
    if (!labelPattern.test(label) || label.startsWith('__')) {
      throw new TypeError(`invalid label ${JSON.stringify(label)} of metric ${name}`);
    }
  }
  if (buckets.some((bound, i) => i > 0 && !(bound > (buckets[i - 1] as number)))) {
    throw new TypeError(`the buckets of metric ${name} do not increase`);
  }
}

const shapeOf = ({ type, labels = [], buckets = [] }: MetricDefinition): string =>
  JSON.stringify([type, labels, buckets]);

export interface MetricsOptions {
  readonly maxSeriesPerFamily?: number;
  /** The release whose metrics are registered; without it all are, deprecated ones included. */
  readonly lifecycle?: MetricRelease;
  /** Receives failures, and one warning for each deprecated metric at the first scrape. */
  readonly log?: Pick<Logger, 'warn'>;
  /** Writes the lines of `exposition` in pieces; all of them at once when absent. */
  readonly run?: (work: Work<void>) => void | Promise<void>;
}

type Definition = Omit<MetricDefinition, 'type'>;

/** The metrics registry of one process (spec 3.4; facts: metrics). */
export const createMetrics = (options: MetricsOptions = {}): Metrics => new MetricsRegistry(options);

const textOf = ({ lines }: Exposition): string => (lines.length === 0 ? '' : `${lines.join('\n')}\n`);

class MetricsRegistry implements Metrics {
  readonly #options: MetricsOptions;
  readonly #families = new Map<string, MetricFamily<Printable>>();
  /** Metrics that the release hides or has removed: they are recorded but not exposed. */
  readonly #hidden = new Set<string>();
  /** Deprecated metrics without a warning yet, with the release of their deprecation. */
  readonly #unannounced = new Map<string, string>();
  readonly #callbacks: (() => void)[] = [];
  readonly #sources: MetricsSource[] = [];
  readonly #peers: MetricsSource[] = [];

  constructor(options: MetricsOptions) {
    this.#options = options;
  }

  counter(definition: Definition): Family<Counter> {
    return this.#declare('counter', definition, () => new Counter());
  }

  gauge(definition: Definition): Family<Gauge> {
    return this.#declare('gauge', definition, () => new Gauge());
  }

  histogram(definition: Definition): Family<Histogram> {
    return this.#declare('histogram', definition, () => new Histogram(definition));
  }

  onCollect(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  addSource(source: MetricsSource): void {
    this.#sources.push(source);
  }

  addPeer(peer: MetricsSource): void {
    this.#peers.push(peer);
  }

  text(): string {
    const exposition = this.#open('text');
    atOnce(this.#printing(exposition));
    return textOf(exposition);
  }

  async exposition(format: MetricsFormat = 'text'): Promise<string> {
    const [texts, peers] = await Promise.all([this.#textsOf(this.#sources), this.#textsOf(this.#peers)]);
    const exposition = { ...this.#open(format), peers: await this.#samplesOf(peers) };
    const { run = atOnce } = this.#options;
    await run(this.#printing(exposition));
    for (const text of texts) addText(exposition, text);
    if (format === 'openMetrics') exposition.lines.push('# EOF');
    return textOf(exposition);
  }

  async #textsOf(sources: readonly MetricsSource[]): Promise<readonly string[]> {
    const texts = await Promise.all(
      sources.map(async (source) => {
        try {
          return [await source.text()];
        } catch (error) {
          this.#countFailure(error);
          return [];
        }
      }),
    );
    return texts.flat();
  }

  /** Only a server with threads loads the code. */
  async #samplesOf(texts: readonly string[]): Promise<PeerSamples | undefined> {
    if (texts.length === 0) return undefined;
    const { PeerSamples } = await import('./peer-samples.ts');
    return new PeerSamples(texts, (name) => this.#families.get(name)?.definition.isSameInThreads ?? false);
  }

  #open(format: MetricsFormat): Exposition {
    return { format, lines: [], hasFamily: (name) => this.#families.has(name) };
  }

  *#printing(exposition: Exposition): Work<void> {
    this.#announce();
    for (const callback of this.#callbacks) {
      yield;
      try {
        callback();
      } catch (error) {
        this.#countFailure(error);
      }
    }
    const pace = new Pace();
    for (const name of [...this.#families.keys()].sort()) {
      if (!this.#hidden.has(name)) yield* this.#families.get(name)?.printing(exposition, pace) ?? [];
    }
  }

  #declare<S extends Printable>(type: MetricType, given: Definition, make: () => S): Family<S> {
    const definition = this.#registered({ ...given, type });
    check(definition);
    const existing = this.#families.get(definition.name);
    if (existing === undefined) {
      const family = new MetricFamily(definition, make, this.#options.maxSeriesPerFamily);
      this.#families.set(definition.name, family);
      return family;
    }
    if (shapeOf(existing.definition) !== shapeOf(definition)) {
      throw new TypeError(`metric ${definition.name} is declared twice with different shapes`);
    }
    return existing as unknown as Family<S>;
  }

  #registered(definition: MetricDefinition): MetricDefinition {
    const { lifecycle } = this.#options;
    const { name, deprecatedFrom } = definition;
    if (lifecycle === undefined || deprecatedFrom === undefined) return definition;
    const stage = metricStage(definition, lifecycle.release);
    if (!isVisible(stage, lifecycle)) this.#hidden.add(name);
    else if (stage !== 'current' && !this.#families.has(name)) this.#unannounced.set(name, deprecatedFrom);
    return { ...definition, help: helpIn(definition, stage) };
  }

  /** Warns of deprecated metrics: at the first scrape, since without a scraper nothing uses them. */
  #announce(): void {
    for (const [metric, deprecatedFrom] of this.#unannounced)
      this.#options.log?.warn('a deprecated metric is registered', { metric, deprecatedFrom });
    this.#unannounced.clear();
  }

  /** A failing callback or source must not fail the scrape. */
  #countFailure(error: unknown): void {
    this.#options.log?.warn('metrics could not be collected', { error: messageOf(error) });
    const help = 'Callbacks and sources that failed while metrics were collected';
    this.counter({ name: 'metrics_collect_failures_total', help }).series().inc();
  }
}
