import {
  type CheckResult,
  type HealthCheck,
  HealthChecks,
  healthy,
  logCheck,
  StartStep,
  unhealthy,
} from '@orch/program';
import type { Store } from '@orch/storage';

/** What is done at the start, in the order of the lines in verbose output; the checks are called `poststarthook/…`. */
const startSteps = [
  /** The watch cache runs. */
  'generic-apiserver-start-informers',
  /** Flow control has read its schemas and levels. */
  'priority-and-fairness-config-consumer',
  /** Requests go through flow control. */
  'priority-and-fairness-filter',
  /** The namespaces of the system and the default service exist. */
  'bootstrap-controller',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  /** The default schemas and levels of flow control exist. */
  'priority-and-fairness-config-producer',
  /** Extension servers are told whom to trust. */
  'start-cluster-authentication-info-controller',
] as const;

export type StartStepName = (typeof startSteps)[number];

/** The steps of the start and of the stop that health shows. */
export interface Lifecycle {
  readonly checks: HealthChecks;
  /** These steps of the start are done; steps of what is switched off are ignored. */
  done(...steps: readonly StartStepName[]): void;
  /** From here on `readyz` fails. */
  stopping(): void;
}

/** What health looks at. */
export interface HealthSources {
  readonly store: Store;
  readonly hasFlowControl: boolean;
  /** The store says whether it is full, and asking costs nothing. */
  readonly knowsSpace: boolean;
  /** The watch cache holds everything. */
  readonly isCacheReady: () => boolean;
  /** Lines that the log has lost so far. */
  readonly droppedLogLines: () => number;
}

/** The checks of an API server (facts: check names, in this order). */
export function lifecycleChecks(sources: HealthSources): Lifecycle {
  const { store, knowsSpace, isCacheReady, droppedLogLines, hasFlowControl } = sources;
  let isStopping = false;
  const steps = new Map(
    startSteps
      .filter((name) => hasFlowControl || !name.startsWith('priority-and-fairness-'))
      .map((name) => [name, new StartStep(`poststarthook/${name}`)]),
  );
  const checks = new HealthChecks()
    .add({ name: 'ping', run: () => healthy })
    .add(logCheck(droppedLogLines))
    .add(storeCheck(store));
  if (knowsSpace) checks.add(spaceCheck(store));
  checks.add({
    name: 'informer-sync',
    only: ['readyz'],
    run: () => (isCacheReady() ? healthy : unhealthy('the watch cache is not filled yet')),
  });
  for (const step of steps.values()) checks.add(step);
  checks.add({
    name: 'shutdown',
    only: ['readyz'],
    run: () => (isStopping ? unhealthy('the process is shutting down') : healthy),
  });
  return {
    checks,
    done(...names) {
      for (const name of names) steps.get(name)?.done();
    },
    stopping() {
      isStopping = true;
    },
  };
}

/** Not ready would be wrong: reads and deletions work, and it is through the server that room is made. */
const spaceCheck = (store: Store): HealthCheck => ({
  name: 'storage-space',
  isNotice: true,
  async run(signal): Promise<CheckResult> {
    const { full } = await store.size(signal);
    return full === undefined ? healthy : unhealthy(full);
  },
});

/** The name says what clients of the ecosystem expect, whatever the backend. */
const storeCheck = (store: Store): HealthCheck => ({
  name: 'etcd',
  async run(signal): Promise<CheckResult> {
    await store.currentRevision(signal);
    return healthy;
  },
});
