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

/** Steps of the start, in the order of verbose output; their checks are named `poststarthook/…`. */
const startSteps = [
  /** The watch cache runs. */
  'generic-apiserver-start-informers',
  /** Flow control has loaded its schemas and levels. */
  'priority-and-fairness-config-consumer',
  /** Requests go through flow control. */
  'priority-and-fairness-filter',
  /** The namespaces of the system and the default service exist. */
  'bootstrap-controller',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  /** The default schemas and levels of flow control exist. */
  'priority-and-fairness-config-producer',
  /** The trust settings of extension servers are published. */
  'start-cluster-authentication-info-controller',
] as const;

export type StartStepName = (typeof startSteps)[number];

/** The steps of start and shutdown in health checks. */
export interface Lifecycle {
  readonly checks: HealthChecks;
  /** Marks steps of the start as done; steps of disabled features are ignored. */
  done(...steps: readonly StartStepName[]): void;
  /** Makes `readyz` fail. */
  stopping(): void;
}

/** The inputs of health checks. */
export interface HealthSources {
  readonly store: Store;
  /** The stores of some resources. */
  readonly overrides: readonly Store[];
  readonly hasFlowControl: boolean;
  /** The store reports cheaply whether it is full. */
  readonly reportsSpace: boolean;
  /** Checks of the encryption of stored values, and of files that are reloaded. */
  readonly configuration: readonly HealthCheck[];
  /** The watch cache is loaded. */
  readonly isCacheReady: () => boolean;
  /** The further threads serve. */
  readonly threadsServe: () => boolean;
  /** Lines that the log has dropped so far. */
  readonly droppedLogLines: () => number;
}

/** The checks of an API server (facts: check names, in this order). */
export function lifecycleChecks(sources: HealthSources): Lifecycle {
  const { store, overrides, configuration, reportsSpace, hasFlowControl } = sources;
  const { isCacheReady, threadsServe, droppedLogLines } = sources;
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
  for (const [i, other] of overrides.entries()) checks.add(overrideCheck(other, i));
  if (reportsSpace) checks.add(spaceCheck(store));
  for (const check of configuration) checks.add(check);
  checks.add({
    name: 'informer-sync',
    only: ['readyz'],
    run: () => (isCacheReady() ? healthy : unhealthy('the watch cache is not loaded yet')),
  });
  // A process that is told to stop before all threads serve ends at once, although clients have used it.
  checks.add({
    name: 'serving-threads',
    only: ['readyz'],
    run: () => (threadsServe() ? healthy : unhealthy('not all threads serve yet')),
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

/** Does not affect readiness: reads and deletions work, and space is freed through the server. */
const spaceCheck = (store: Store): HealthCheck => ({
  name: 'storage-space',
  isNotice: true,
  async run(signal): Promise<CheckResult> {
    const { full } = await store.size(signal);
    return full === undefined ? healthy : unhealthy(full);
  },
});

/** Named `etcd` for every backend, as clients expect. */
const storeCheck = (store: Store): HealthCheck => ({
  name: 'etcd',
  async run(signal): Promise<CheckResult> {
    await store.currentRevision(signal);
    return healthy;
  },
});

/** By the position in `--etcd-servers-overrides`, as clients expect. A restart of this process does not bring a store back. */
const overrideCheck = (store: Store, position: number): HealthCheck => ({
  ...storeCheck(store),
  name: `etcd-override-${position}`,
  only: ['healthz', 'readyz'],
});
