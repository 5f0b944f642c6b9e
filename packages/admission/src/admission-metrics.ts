import type { Clock, Metrics } from '@orch/machinery';
import type { Phase, Refusal, RequestedWrite, ResourceTarget, Verdict } from './types.ts';

/** A plugin that took this time is a step of the request. */
const REPORTED_MS = 1;

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5];

/** Phases as the label `type` names them. */
export type Step = 'admit' | 'validate';

const stepOf = (phase: Phase): Step => (phase === 'precheck' || phase === 'mutate' ? 'admit' : 'validate');

/** Durations of the admission of writes (facts: metric names), by operation and outcome. */
export interface AdmissionMetrics {
  /** Calls one plugin, and reports it when it refuses or takes time. */
  plugin(name: string, phase: Phase, write: RequestedWrite, call: () => Verdict): Verdict;
  /** Calls all plugins of a step. */
  step(step: Step, target: ResourceTarget, call: () => Promise<void>): Promise<void>;
}

export function admissionMetrics(metrics: Metrics, clock: Pick<Clock, 'monotonic'>): AdmissionMetrics {
  const plugins = metrics.histogram({
    name: 'apiserver_admission_controller_admission_duration_seconds',
    help: 'Seconds that an admission plugin took for a write that it handles.',
    labels: ['name', 'operation', 'rejected', 'type'],
    buckets: BUCKETS,
    stability: 'ALPHA',
  });
  const steps = metrics.histogram({
    name: 'apiserver_admission_step_admission_duration_seconds',
    help: 'Seconds that all mutating, or all validating, admission plugins took for a write.',
    labels: ['operation', 'rejected', 'type'],
    buckets: BUCKETS,
    stability: 'ALPHA',
  });
  const secondsSince = (began: number): number => (clock.monotonic() - began) / 1000;
  return {
    plugin(name, phase, { operation, report }, call) {
      const began = clock.monotonic();
      const finish = (isRejected: boolean): void => {
        const ms = clock.monotonic() - began;
        plugins.series(name, operation, String(isRejected), stepOf(phase)).observe(ms / 1000);
        if (isRejected || ms >= REPORTED_MS)
          report.step({ stage: 'admission', name, ms, refused: isRejected });
      };
      return observed(call, finish);
    },
    async step(step, { operation }, call) {
      const began = clock.monotonic();
      let isRejected = true;
      try {
        await call();
        isRejected = false;
      } finally {
        steps.series(operation, String(isRejected), step).observe(secondsSince(began));
      }
    },
  };
}

/** Calls a plugin and reports whether it refused or failed, synchronously when the plugin decides synchronously. */
function observed(call: () => Verdict, finish: (isRejected: boolean) => void): Verdict {
  let verdict: Verdict;
  try {
    verdict = call();
  } catch (error) {
    finish(true);
    throw error;
  }
  if (!(verdict instanceof Promise)) {
    finish(verdict !== undefined);
    return verdict;
  }
  return verdict.then(
    (refusal: Refusal | undefined) => {
      finish(refusal !== undefined);
      return refusal;
    },
    (error: unknown) => {
      finish(true);
      throw error;
    },
  );
}
