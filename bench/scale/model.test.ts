import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fitted } from './least-squares.ts';
import { modelOf, predicted, quantities } from './model.ts';
import { planned } from './planned.ts';
import { type ScaleRun, type Sizes, seriesOf } from './results.ts';

const sizesOf = (nodes: number, podsPerSecond: number, replicas: number): Sizes => ({
  load: {
    ...{ nodes, podsPerSecond, podsPerNode: 30, namespaces: 10 },
    ...{ references: 2, ownConnections: 0, controllers: true },
  },
  ...{ replicas, threads: 1, overrides: false },
});

/** A run of a control plane whose CPU is known exactly. */
function runOf(nodes: number, podsPerSecond: number, replicas: number): ScaleRun {
  const writes = 0.1 * nodes + 10 * podsPerSecond;
  const cores = (writes * 200) / 1e6 + replicas * (0.01 + (writes * 20) / 1e6);
  return {
    sizes: sizesOf(nodes, podsPerSecond, replicas),
    ...{ seconds: 1, startMs: 1, latencies: [] },
    programs: [
      { name: 'server', role: 'server', cores, bytes: 2e8 + nodes * 30 * 5000 },
      { name: 'etcd', role: 'etcd', cores: (writes * 50) / 1e6, bytes: 1e8 },
    ],
    rates: { writes, etcdBytes: 1, networkBytes: writes * 1000 },
  };
}

const runs = [
  runOf(500, 5, 1),
  runOf(500, 20, 2),
  runOf(1000, 5, 2),
  runOf(2000, 20, 1),
  runOf(3000, 10, 3),
  runOf(5000, 20, 2),
];

describe('the model of scale', () => {
  it('a fit finds the factors that values were made of, and gives 0 in place of a negative one', () => {
    const near = (value: number | undefined, expected: number): void =>
      assert.ok(Math.abs((value ?? Number.NaN) - expected) < 1e-6, `${value} for ${expected}`);
    const rows = [[1, 2], [1, 5], [1, 11]]; // biome-ignore format: a matrix
    const [constant, slope] = fitted(rows, [7, 13, 25]);
    near(constant, 3);
    near(slope, 2);
    assert.equal(fitted(rows, [3, 2, 1])[1], 0);
  });

  it('a model of runs predicts a larger control plane', () => {
    const model = modelOf(runs);
    const { programs, rates } = runOf(15_000, 500, 4);
    const near = (value: number, expected = Number.NaN): void =>
      assert.ok(Math.abs(value / expected - 1) < 0.02, `${value} for ${expected}`);
    near(predicted(model, 'writes', sizesOf(15_000, 500, 4)), rates.writes);
    near(predicted(model, 'serverCores', sizesOf(15_000, 500, 4)), programs[0]?.cores);
    near(predicted(model, 'etcdCores', sizesOf(15_000, 500, 4)), programs[1]?.cores);
  });

  it('a larger load needs more threads, none of which is too busy', () => {
    const model = modelOf(runs);
    const plans = [15_000, 50_000].map((nodes) => planned(model, sizesOf(nodes, 500, 1).load));
    const threads = plans.map((plan) => (plan?.sizes.replicas ?? 0) * (plan?.sizes.threads ?? 0));
    assert.ok((threads[0] ?? 0) < (threads[1] ?? 0), `${threads}`);
    for (const plan of plans) assert.ok((plan?.busy ?? 1) <= 0.7 && (plan?.p99Micros ?? 0) > 0);
  });

  it('a model of a series has no free factor: each term differs between its sizes', () => {
    const sizes = seriesOf(sizesOf(5000, 20, 2));
    const model = modelOf(sizes.map(({ load, replicas }) => runOf(load.nodes, load.podsPerSecond, replicas)));
    for (const name of ['writes', 'serverCores', 'etcdCores'] as const) {
      const run = runOf(15_000, 500, 4);
      const exact = quantities[name].measured(run);
      assert.ok(Math.abs(predicted(model, name, run.sizes) / exact - 1) < 0.05, name);
    }
  });
});
