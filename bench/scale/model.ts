/** The model of a control plane: what grows with nodes, pods and replicas, fitted to measured runs. */
import { fitted, weighted } from './least-squares.ts';
import type { ScaleRun, Sizes } from './results.ts';
import type { Role } from './usage.ts';

/** A measured quantity as a sum of features, each with a factor. */
export interface Quantity {
  readonly name: string;
  /** The head of a column, with the unit. */
  readonly short: string;
  readonly unit: string;
  readonly terms: readonly string[];
  /** `writes` are the changes in etcd per second, by the model. */
  features(sizes: Sizes, writes: number): readonly number[];
  measured(run: ScaleRun): number;
}

const coresOf = ({ programs }: ScaleRun, role: Role): number =>
  programs.reduce((sum, program) => (program.role === role ? sum + program.cores : sum), 0);

const podsOf = ({ load }: Sizes): number => load.nodes * load.podsPerNode;

/** A watch of pods for each node, and of what they refer to. */
export const watchesOf = ({ load }: Sizes): number => load.nodes * (1 + 2 * load.references);

const largest = ({ programs }: ScaleRun, role: Role): number =>
  Math.max(0, ...programs.filter((program) => program.role === role).map(({ bytes }) => bytes));

export const quantities = {
  writes: {
    name: 'changes in etcd',
    short: 'changes per s',
    unit: 'per second',
    terms: ['constant', 'per node', 'per pod per second'],
    features: ({ load }) => [1, load.nodes, load.podsPerSecond],
    measured: ({ rates }) => rates.writes,
  },
  serverCores: {
    name: 'CPU of all API servers',
    short: 'cores of servers',
    unit: 'cores',
    terms: ['per replica', 'per node', 'per pod per second', 'per change per second and replica'],
    features: ({ load: { nodes, podsPerSecond }, replicas }, writes) => [
      ...[replicas, nodes, podsPerSecond],
      replicas * writes,
    ],
    measured: (run) => coresOf(run, 'server'),
  },
  etcdCores: {
    name: 'CPU of etcd',
    short: 'cores of etcd',
    unit: 'cores',
    terms: ['constant', 'per change per second'],
    features: (_, writes) => [1, writes],
    measured: (run) => coresOf(run, 'etcd'),
  },
  controllerCores: {
    name: 'CPU of the controllers',
    short: 'cores of controllers',
    unit: 'cores',
    terms: ['constant', 'per pod per second'],
    features: ({ load }) => [1, load.podsPerSecond],
    measured: (run) => coresOf(run, 'manager'),
  },
  serverBytes: {
    name: 'memory of an API server',
    short: 'MB of a server',
    unit: 'MB',
    terms: ['constant', 'per pod', 'per watch'],
    features: (sizes) => [1, podsOf(sizes), watchesOf(sizes) / sizes.replicas],
    measured: (run) => largest(run, 'server') / 1e6,
  },
  etcdBytes: {
    name: 'memory of etcd',
    short: 'MB of etcd',
    unit: 'MB',
    terms: ['constant', 'per pod'],
    features: (sizes) => [1, podsOf(sizes)],
    measured: (run) => largest(run, 'etcd') / 1e6,
  },
  network: {
    name: 'network of the API servers, without etcd',
    short: 'MB per s',
    unit: 'MB per second',
    terms: ['constant', 'per node', 'per pod per second', 'per pod'],
    features: (sizes) => [1, sizes.load.nodes, sizes.load.podsPerSecond, podsOf(sizes)],
    measured: ({ rates }) => rates.networkBytes / 1e6,
  },
} as const satisfies Readonly<Record<string, Quantity>>;

export type QuantityName = keyof typeof quantities;
export const quantityNames = Object.keys(quantities) as readonly QuantityName[];

export interface Model {
  readonly factors: Readonly<Record<QuantityName, readonly number[]>>;
}

/** The model that comes closest to some runs. */
export function modelOf(runs: readonly ScaleRun[]): Model {
  const writes = factorsOf(quantities.writes, runs, () => 0);
  const writesOf = (sizes: Sizes): number => weighted(quantities.writes.features(sizes), writes);
  const entries = quantityNames.map((name) => [name, factorsOf(quantities[name], runs, writesOf)] as const);
  return { factors: Object.fromEntries(entries) as unknown as Model['factors'] };
}

/** The factors of one quantity, from the runs that have it. */
function factorsOf(
  quantity: Quantity,
  runs: readonly ScaleRun[],
  writesOf: (sizes: Sizes) => number,
): readonly number[] {
  const known = runs.filter((run) => quantity.measured(run) > 0);
  const rows = known.map(({ sizes }) => quantity.features(sizes, writesOf(sizes)));
  return fitted(
    rows,
    known.map((run) => quantity.measured(run)),
  );
}

/** The value of a quantity at a size. */
export function predicted({ factors }: Model, name: QuantityName, sizes: Sizes): number {
  const writes = weighted(quantities.writes.features(sizes), factors.writes);
  const quantity: Quantity = quantities[name];
  return weighted(quantity.features(sizes, writes), factors[name]);
}

/** A measured value of a run, and that of a model that does not know the run. */
export interface Checked {
  readonly measured: number;
  readonly predicted: number;
}

/** All quantities of a run, predicted by the model of all other runs. */
export function checked(runs: readonly ScaleRun[], run: ScaleRun): readonly Checked[] {
  const model = modelOf(runs.filter((other) => other !== run));
  return quantityNames.map((name) => ({
    measured: quantities[name].measured(run),
    predicted: predicted(model, name, run.sizes),
  }));
}
