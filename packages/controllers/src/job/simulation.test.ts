import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { asObject } from '@orch/machinery/json';
import { forSeeds, Simulation } from '../testing/simulation.ts';
import { jobController } from './controller.ts';

const SEEDS = 40;
const CALM_MS = 3_600_000;
const BATCH_MS = 1000;
const TIME = '2024-01-01T00:00:00Z';
const never = new AbortController().signal;
const namespace = 'n';
const place = { collection: 'batch/jobs', namespace, name: 'work' };
const template = {
  metadata: { labels: { app: 'work' } },
  spec: { restartPolicy: 'Never', containers: [{ name: 'main' }] },
};

/** A job whose pods end, or are deleted. */
class JobSimulation {
  readonly #simulation: Simulation;
  #areJobsLate = false;

  constructor(seed: number) {
    this.#simulation = new Simulation({
      seed,
      build: (context) => [
        jobController(context, {
          backoffMs: 10_000,
          batchMs: BATCH_MS,
          isTracked: true,
          hasIndexLabel: true,
          waitsForPods: true,
        }),
      ],
      // The watch of jobs falls behind that of pods.
      around: async ({ target }, send) => {
        const { random, env } = this.#simulation;
        const isLate = this.#areJobsLate && /\/jobs\?.*watch=/.test(target) && random.int(2) === 0;
        if (isLate) await sleep(env.clock, random.int(20_000), never);
        return await send();
      },
    });
  }

  get #objects() {
    return this.#simulation.api.objects;
  }

  create(fields: object): void {
    const apiVersion = `${this.#simulation.names.group('batch')}/v1`;
    const spec = { selector: { matchLabels: { app: 'work' } }, template, backoffLimit: 1000, ...fields };
    this.#objects.create(place, { apiVersion, kind: 'Job', metadata: {}, spec }, TIME);
    this.#simulation.begin();
  }

  get status(): Record<string, unknown> {
    return asObject(this.#objects.get(place)['status']);
  }

  get pods(): readonly ApiObject[] {
    return this.#objects.list('/pods').map(({ object }) => object);
  }

  get running(): readonly ApiObject[] {
    return this.pods.filter(
      ({ metadata, status }) =>
        metadata.deletionTimestamp === undefined && asObject(status ?? {})['phase'] === undefined,
    );
  }

  end(pod: ApiObject, phase: 'Succeeded' | 'Failed'): void {
    this.#objects.update(
      { collection: '/pods', namespace, name: pod.metadata.name ?? '' },
      { ...pod, status: { phase } },
    );
  }

  calm(ms: number): Promise<void> {
    return this.#simulation.calm(ms);
  }

  async stop(): Promise<void> {
    await this.#simulation.end();
  }

  async run(steps: number): Promise<void> {
    const { random } = this.#simulation;
    this.#areJobsLate = true;
    const completions = 3 + random.int(3);
    this.create({ completions, parallelism: 1 + random.int(3) });
    for (let step = 0; step < steps; step++) {
      const pod = this.#simulation.anyOf(this.running);
      if (pod !== undefined && random.int(3) === 0)
        this.end(pod, random.int(3) === 0 ? 'Failed' : 'Succeeded');
      else await this.#simulation.disturb();
      await this.#simulation.pass(20_000);
    }
    this.#areJobsLate = false;
    await this.#simulation.calm(CALM_MS);
    while (this.running.length > 0) {
      for (const pod of this.running) this.end(pod, 'Succeeded');
      await this.#simulation.calm(CALM_MS);
    }
    const { succeeded, failed = 0 } = this.status;
    assert.equal(succeeded, completions, 'no pod more succeeds than the job needs');
    const phases = this.pods.map(({ status }) => asObject(status ?? {})['phase']);
    assert.equal(failed, phases.filter((phase) => phase === 'Failed').length, 'each failure is counted once');
    assert.ok(
      this.pods.every(({ metadata }) => (metadata.finalizers ?? []).length === 0),
      'no pod waits to be counted',
    );
    const { revision } = this.#objects;
    await this.#simulation.calm(CALM_MS);
    assert.equal(this.#objects.revision, revision, 'nothing is written when all work is done');
    await this.stop();
  }
}

describe('jobs under faults', () => {
  it(
    `a job counts each of its pods once and makes none that it does not need (${SEEDS} seeds)`,
    {
      timeout: 120_000,
    },
    () =>
      forSeeds(SEEDS, 'packages/controllers/src/job/simulation.test.ts', (seed) =>
        new JobSimulation(seed).run(40),
      ),
  );

  it('pods that fail within a second fail the job together, and none of them is deleted', async () => {
    const simulation = new JobSimulation(1);
    await simulation.calm(0);
    simulation.create({ completions: 3, parallelism: 3, backoffLimit: 0 });
    await simulation.calm(CALM_MS);
    assert.equal(simulation.running.length, 3);
    for (const pod of simulation.running) {
      simulation.end(pod, 'Failed');
      await simulation.calm(BATCH_MS / 4);
    }
    await simulation.calm(CALM_MS);
    assert.deepEqual([simulation.pods.length, simulation.status['failed']], [3, 3]);
    await simulation.stop();
  });
});
