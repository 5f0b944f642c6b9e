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

/** The steps of the start and of the stop that health shows. */
export interface Lifecycle {
  readonly checks: HealthChecks;
  /** Built-in objects exist. */
  readonly bootstrapped: StartStep;
  /** The default roles exist. */
  readonly rolesReady: StartStep;
  /** From here on `readyz` fails. */
  stopping(): void;
}

/** What health looks at. */
export interface HealthSources {
  readonly store: Store;
  /** The watch cache holds everything. */
  readonly isCacheReady: () => boolean;
  /** Lines that the log has lost so far. */
  readonly droppedLogLines: () => number;
}

/** The checks of an API server (facts: check names, in this order). */
export function lifecycleChecks({ store, isCacheReady, droppedLogLines }: HealthSources): Lifecycle {
  let isStopping = false;
  const bootstrapped = new StartStep('poststarthook/bootstrap-controller');
  const rolesReady = new StartStep('poststarthook/rbac/bootstrap-roles');
  const checks = new HealthChecks()
    .add({ name: 'ping', run: () => healthy })
    .add(logCheck(droppedLogLines))
    .add(storeCheck(store))
    .add({
      name: 'informer-sync',
      only: ['readyz'],
      run: () => (isCacheReady() ? healthy : unhealthy('the watch cache is not filled yet')),
    })
    .add(bootstrapped)
    .add(rolesReady)
    .add({
      name: 'shutdown',
      only: ['readyz'],
      run: () => (isStopping ? unhealthy('the process is shutting down') : healthy),
    });
  return {
    checks,
    bootstrapped,
    rolesReady,
    stopping() {
      isStopping = true;
    },
  };
}

/** The name says what clients of the ecosystem expect, whatever the backend. */
const storeCheck = (store: Store): HealthCheck => ({
  name: 'etcd',
  async run(signal): Promise<CheckResult> {
    await store.currentRevision(signal);
    return healthy;
  },
});
