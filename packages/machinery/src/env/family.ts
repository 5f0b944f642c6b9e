import type { Pace, Work } from '../concurrency/index.ts';
import type { Family, MetricDefinition } from '../metrics.ts';
import { addSample, declareFamily, type Exposition } from './exposition-format.ts';
import type { Printable } from './series.ts';

/**
 * Maximum number of series of a family. Label values can come from clients: further values are counted in one shared
 * series.
 */
const MAX_SERIES = 10_000;

/** Label value of the shared series. */
const OVERFLOW = 'overflow';

const escapeLabel = (value: string): string =>
  value.replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`));
const escapeHelp = (value: string): string => value.replace(/[\\\n]/g, (c) => (c === '\n' ? '\\n' : '\\\\'));

type Node<S> = Map<string, Node<S> | S>;

/** One metric family: creates its series and prints them. */
export class MetricFamily<S extends Printable> implements Family<S> {
  readonly definition: MetricDefinition;
  readonly #labels: readonly string[];
  readonly #make: () => S;
  readonly #maxSeries: number;
  /** One level of maps per label, so that a lookup concatenates no strings. */
  readonly #root: Node<S> = new Map();
  readonly #all: { readonly series: S; readonly labels: string }[] = [];

  constructor(definition: MetricDefinition, make: () => S, maxSeries = MAX_SERIES) {
    this.definition = definition;
    this.#labels = definition.labels ?? [];
    this.#make = make;
    this.#maxSeries = maxSeries;
    if (this.#labels.length === 0) this.series();
  }

  series(...values: readonly string[]): S {
    if (values.length !== this.#labels.length) {
      throw new TypeError(
        `${this.definition.name} has ${this.#labels.length} labels, got ${values.length} values`,
      );
    }
    let node = this.#root;
    const last = values.length - 1;
    for (let i = 0; i < last; i++) {
      const next = node.get(values[i] as string);
      if (next === undefined) return this.#add(values);
      node = next as Node<S>;
    }
    return (node.get(values[last] ?? '') as S | undefined) ?? this.#add(values);
  }

  clear(): void {
    this.#root.clear();
    this.#all.length = 0;
  }

  #add(values: readonly string[]): S {
    if (this.#all.length >= this.#maxSeries && values.some((value) => value !== OVERFLOW)) {
      return this.series(...values.map(() => OVERFLOW));
    }
    let node = this.#root;
    for (const value of values.slice(0, -1)) {
      const next = (node.get(value) as Node<S> | undefined) ?? new Map();
      node.set(value, next);
      node = next;
    }
    const series = this.#make();
    node.set(values.at(-1) ?? '', series);
    const labels = this.#labels.map((label, i) => `${label}="${escapeLabel(values[i] ?? '')}"`).join(',');
    this.#all.push({ series, labels });
    return series;
  }

  /** Appends the lines of the family, in pieces; nothing while it has no series. Those that are added or removed meanwhile do not matter. */
  *printing(out: Exposition, pace: Pace): Work<void> {
    const { name } = this.definition;
    if (this.#all.length === 0 && out.peers?.hasFamily(name) !== true) return;
    const { help, type, stability } = this.definition;
    const text = stability === undefined ? help : `[${stability}] ${help}`;
    declareFamily(out, { name, type, help: escapeHelp(text) });
    for (const { series, labels } of this.#all.slice()) {
      if (pace.isDue()) yield;
      series.print(out, name, labels);
    }
    for (const sample of out.peers?.rest(name) ?? []) addSample(out, sample);
  }
}
