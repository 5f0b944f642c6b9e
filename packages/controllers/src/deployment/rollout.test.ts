import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds, Stored } from '@orch/client';
import { namesFor, type Random } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { metaOf, NOW, template } from '../testing/workloads.ts';
import { keysOf } from './annotations.ts';
import { currentSet, type DeploymentState, decideDeployment } from './decide.ts';
import { limitsOf, replicasOf, totalOf } from './replica-counts.ts';
import { statusOf } from './status.ts';

type Deployment = Stored<kinds.apps.Deployment>;
type ReplicaSet = Stored<kinds.apps.ReplicaSet>;
type Bound = number | string;

const SEEDS = 300;
const keys = keysOf(namesFor('kubernetes'));

interface Settings {
  readonly replicas: number;
  readonly maxSurge: Bound;
  readonly maxUnavailable: Bound;
  readonly type?: string;
}

/** A Deployment with its sets, whose pods become available or fail when the test says so. */
class Rollout {
  deployment: Deployment;
  sets: ReplicaSet[] = [];
  #made = 0;

  constructor({ replicas, type = 'RollingUpdate', ...rollingUpdate }: Settings) {
    this.deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metaOf('web', { generation: 1 }),
      spec: {
        replicas,
        selector: { matchLabels: { app: 'web' } },
        template,
        strategy: { type, ...(type === 'RollingUpdate' && { rollingUpdate }) },
        progressDeadlineSeconds: 600,
        revisionHistoryLimit: 1,
      },
    };
  }

  get state(): DeploymentState {
    const { deployment, sets } = this;
    return { deployment, sets, hasRunningPods: ({ status }) => (status?.replicas ?? 0) > 0, keys };
  }

  change(spec: Partial<kinds.apps.DeploymentSpec>): void {
    const generation = Number(this.deployment.metadata.generation ?? 0) + 1;
    const { spec: old = { selector: null, template }, metadata } = this.deployment;
    this.deployment = {
      ...this.deployment,
      metadata: { ...metadata, generation },
      spec: { ...old, ...spec },
    };
  }

  image(image: string): void {
    this.change({ template: { ...template, spec: { containers: [{ name: 'main', image }] } } });
  }

  /** One reconciliation; returns whether it changed anything. */
  step(): boolean {
    const { create, changes, remove, revision } = decideDeployment(this.state);
    for (const { set, replicas, annotations } of changes) {
      const spec = { selector: null, ...set.spec, ...(replicas !== undefined && { replicas }) };
      this.#replace(set, {
        ...set,
        metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...annotations } },
        spec,
      });
    }
    this.sets = this.sets.filter((set) => !remove.some(({ metadata }) => metadata.uid === set.metadata.uid));
    if (create !== undefined) this.#create(create);
    const next = currentSet(this.state);
    const observed = { deployment: this.deployment, sets: this.sets, next, isCreated: create !== undefined };
    const { status } = statusOf({ ...observed, collisionCount: 0, showsTerminating: true, nowMs: NOW });
    const isOther = JSON.stringify(status) !== JSON.stringify(this.deployment.status);
    this.deployment = { ...this.deployment, status };
    assert.ok(revision === undefined || revision >= 1);
    return create !== undefined || changes.length > 0 || remove.length > 0 || isOther;
  }

  #create(set: kinds.apps.ReplicaSet): void {
    const { name = '', ...more } = set.metadata;
    const creationTimestamp = new Date(NOW + this.#made++ * 1000).toISOString();
    this.sets.push({
      ...set,
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { ...metaOf(name), ...more, creationTimestamp },
    });
  }

  #replace(old: ReplicaSet, set: ReplicaSet): void {
    this.sets = this.sets.map((each) => (each.metadata.uid === old.metadata.uid ? set : each));
  }

  /** Pods of a set start or end, and this number of them is available. */
  pods(set: ReplicaSet, available: number): void {
    const replicas = replicasOf(set);
    const availableReplicas = Math.min(available, replicas);
    const status = { replicas, readyReplicas: availableReplicas, availableReplicas };
    this.#replace(set, { ...set, status });
  }

  /** Lets all pods become available, step by step, until nothing changes. */
  finish(): void {
    for (let steps = 0; steps < 200; steps++) {
      const isChanged = this.step();
      for (const set of this.sets) this.pods(set, replicasOf(set));
      if (!isChanged && !this.step()) return;
    }
    assert.fail('the rollout does not end');
  }

  sizes(): Readonly<Record<string, number>> {
    const image = ({ spec }: ReplicaSet): string => spec?.template?.spec?.containers[0]?.image ?? '';
    return Object.fromEntries(this.sets.map((set) => [image(set), replicasOf(set)]));
  }

  reason(type: string): string | undefined {
    return this.deployment.status?.conditions?.find((condition) => condition.type === type)?.reason;
  }
}

const started = (settings: Partial<Settings> = {}): Rollout => {
  const rollout = new Rollout({ replicas: 4, maxSurge: 1, maxUnavailable: 1, ...settings });
  rollout.finish();
  return rollout;
};

describe('the rollout of a Deployment', () => {
  it('a new template gets its own set, and the old pods are replaced within the limits', () => {
    const rollout = started();
    assert.deepEqual(rollout.sizes(), { 'web:1': 4 });
    rollout.image('web:2');
    rollout.step();
    assert.deepEqual(rollout.sizes(), { 'web:1': 4, 'web:2': 1 }, 'one pod more than desired');
    rollout.step();
    assert.deepEqual(rollout.sizes(), { 'web:1': 3, 'web:2': 1 }, 'one pod fewer available than desired');
    rollout.step();
    assert.deepEqual(rollout.sizes(), { 'web:1': 3, 'web:2': 2 });
    rollout.finish();
    assert.deepEqual(rollout.sizes(), { 'web:1': 0, 'web:2': 4 });
    assert.equal(rollout.reason('Progressing'), 'NewReplicaSetAvailable');
  });

  it('a template that fails keeps the old pods running', () => {
    const rollout = started();
    rollout.image('web:broken');
    for (let i = 0; i < 20; i++) rollout.step();
    assert.deepEqual(rollout.sizes(), { 'web:1': 3, 'web:broken': 2 });
    assert.equal(rollout.reason('Available'), 'MinimumReplicasAvailable');
  });

  it('an earlier template uses its set again, with a new revision', () => {
    const rollout = started();
    rollout.image('web:2');
    rollout.finish();
    rollout.image('web:1');
    rollout.finish();
    assert.deepEqual(rollout.sizes(), { 'web:1': 4, 'web:2': 0 });
    const { annotations = {} } = currentSet(rollout.state)?.metadata ?? {};
    assert.deepEqual([annotations[keys.revision], annotations[keys.revisionHistory]], ['3', '1']);
  });

  it('old sets beyond the limit of the history are removed, those of the oldest revisions first', () => {
    const rollout = started();
    for (const image of ['web:2', 'web:3', 'web:4']) {
      rollout.image(image);
      rollout.finish();
    }
    assert.deepEqual(Object.keys(rollout.sizes()), ['web:3', 'web:4']);
  });

  it('Recreate ends all old pods before it creates new ones', () => {
    const rollout = started({ type: 'Recreate' });
    rollout.image('web:2');
    rollout.step();
    assert.deepEqual(rollout.sizes(), { 'web:1': 0 });
    rollout.step();
    assert.deepEqual(rollout.sizes(), { 'web:1': 0 }, 'the old pods still run');
    rollout.finish();
    assert.deepEqual(rollout.sizes(), { 'web:1': 0, 'web:2': 4 });
  });

  it('a paused Deployment does not roll out, and is scaled', () => {
    const rollout = started();
    rollout.change({ paused: true });
    rollout.image('web:2');
    rollout.finish();
    assert.deepEqual(rollout.sizes(), { 'web:1': 4 });
    rollout.change({ replicas: 6 });
    rollout.finish();
    assert.deepEqual(rollout.sizes(), { 'web:1': 6 });
    assert.equal(rollout.reason('Progressing'), 'DeploymentPaused');
    rollout.change({ paused: false });
    rollout.finish();
    assert.deepEqual(rollout.sizes(), { 'web:1': 0, 'web:2': 6 });
  });

  it('scaling during a rollout keeps the shares of the sets', () => {
    const rollout = started({ replicas: 10, maxSurge: 2, maxUnavailable: 2 });
    rollout.image('web:2');
    for (let i = 0; i < 10; i++) rollout.step();
    assert.deepEqual(rollout.sizes(), { 'web:1': 8, 'web:2': 4 });
    rollout.change({ replicas: 20 });
    rollout.step();
    assert.deepEqual(rollout.sizes(), { 'web:1': 15, 'web:2': 7 });
  });

  it('a rollout without progress is late after its deadline', () => {
    const rollout = started();
    rollout.image('web:broken');
    for (let i = 0; i < 20; i++) rollout.step();
    const { deployment, sets, state } = rollout;
    const parts = { isCreated: false, collisionCount: 0, showsTerminating: true };
    const observed = { deployment, sets, next: currentSet(state), ...parts };
    const later = statusOf({ ...observed, nowMs: NOW + 601_000 });
    const progressing = later.status.conditions?.find(({ type }) => type === 'Progressing');
    assert.deepEqual([progressing?.status, progressing?.reason], ['False', 'ProgressDeadlineExceeded']);
    assert.equal(statusOf({ ...observed, nowMs: NOW }).recheckMs, 601_000);
  });

  it('a Deployment that is being deleted stays as it is', () => {
    const rollout = started();
    const { deployment } = rollout;
    const metadata = { ...deployment.metadata, deletionTimestamp: '2024-01-01T12:00:00Z' };
    rollout.deployment = { ...deployment, metadata };
    rollout.image('web:2');
    assert.deepEqual(decideDeployment(rollout.state), { changes: [], remove: [] });
  });
});

/** One random step: of users, of pods, or of the controller, after which the limits must hold. */
function randomStep(rollout: Rollout, random: Random): void {
  const set = rollout.sets[random.int(Math.max(1, rollout.sets.length))];
  const kind = random.int(20);
  if (kind === 0) rollout.image(`web:${random.int(4)}`);
  else if (kind < 8 && set !== undefined) rollout.pods(set, random.int(replicasOf(set) + 1));
  else if (kind < 12) for (const each of rollout.sets) rollout.pods(each, replicasOf(each));
  else {
    const { deployment, sets } = rollout;
    const { maxSurge, maxUnavailable } = limitsOf(deployment);
    const replicas = replicasOf(deployment);
    const available = (all: readonly ReplicaSet[]): number =>
      all.reduce((sum, set) => sum + Math.min(set.status?.availableReplicas ?? 0, replicasOf(set)), 0);
    const before = { available: available(sets), total: totalOf(sets) };
    rollout.step();
    const least = Math.min(before.available, replicas - maxUnavailable);
    assert.ok(totalOf(rollout.sets) <= Math.max(before.total, replicas + maxSurge), 'too many pods');
    assert.ok(available(rollout.sets) >= least, 'too few available pods');
  }
}

describe('rollouts of random Deployments', () => {
  it(`random rollouts never exceed their limits, and end with the pods of the last template (${SEEDS} seeds)`, () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = seededRandom(seed);
      const bounds: readonly Bound[] = [0, 1, 3, '25%', '50%', '100%'];
      const bound = (): Bound => bounds[random.int(bounds.length)] ?? 1;
      const rollout = started({ replicas: random.int(12), maxSurge: bound(), maxUnavailable: bound() });
      try {
        for (let step = 0; step < 60; step++) randomStep(rollout, random);
        rollout.finish();
        const next = currentSet(rollout.state);
        const { replicas = 0 } = rollout.deployment.spec ?? {};
        assert.equal(next === undefined ? -1 : replicasOf(next), replicas);
        assert.equal(totalOf(rollout.sets), replicas);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  });
});
