import type { Clock, HistogramSeries, Metrics } from '@orch/machinery';
import type { Operation, Phase, RequestedWrite, ResourceTarget } from './types.ts';

/** Duration from which a plugin is a step of the request. */
const REPORTED_MS = 1;

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5];

/** Phases as the label `type` names them. */
export type Step = 'admit' | 'validate';

const stepOf = (phase: Phase): Step => (phase === 'precheck' || phase === 'mutate' ? 'admit' : 'validate');

/** Records the calls of one phase of a plugin. */
export interface MeasuredPhase {
  /** When a call begins; passed to `ended`. */
  began(): number;
  /** Records the duration of a call, and reports it to the write when the plugin refused or took time. */
  ended(write: RequestedWrite, began: number, isRejected: boolean): void;
}

/** Durations of the admission of writes (facts: metric names), by operation and outcome. */
export interface AdmissionMetrics {
  phase(name: string, phase: Phase, operation: Operation): MeasuredPhase;
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
    phase(name, phase, operation) {
      const of = (isRejected: boolean): HistogramSeries =>
        plugins.series(name, operation, String(isRejected), stepOf(phase));
      const [admitted, rejected] = [of(false), of(true)];
      return {
        began: () => clock.monotonic(),
        ended({ report }, began, isRejected) {
          const ms = clock.monotonic() - began;
          (isRejected ? rejected : admitted).observe(ms / 1000);
          if (isRejected || ms >= REPORTED_MS)
            report.step({ stage: 'admission', name, ms, refused: isRejected });
        },
      };
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
