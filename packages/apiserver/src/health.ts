import {
  type CheckResult,
  type HealthCheck,
  HealthChecks,
  healthy,
  StartStep,
  unhealthy,
} from '@orch/server';
import type { Store } from '@orch/storage';

/** The steps of the start and of the stop that health shows. */
export interface Lifecycle {
  readonly checks: HealthChecks;
  /** Built-in objects exist. */
  readonly bootstrapped: StartStep;
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
    .add({
      name: 'shutdown',
      only: ['readyz'],
      run: () => (isStopping ? unhealthy('the process is shutting down') : healthy),
    });
  return {
    checks,
    bootstrapped,
    stopping() {
      isStopping = true;
    },
  };
}

/** Fails when lines were lost since the last time it was asked. */
function logCheck(dropped: () => number): HealthCheck {
  let known = 0;
  return {
    name: 'log',
    run() {
      const lost = dropped() - known;
      known += lost;
      return lost === 0 ? healthy : unhealthy(`${lost} lines of the log were lost`);
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
