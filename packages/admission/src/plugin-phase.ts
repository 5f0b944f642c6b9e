import type { Clock, HistogramSeries, Metrics } from '@orch/machinery';
import type {
  AdmissionPlugin,
  Operation,
  Phase,
  Refusal,
  Reinvocation,
  RequestedWrite,
  ResourceTarget,
  Verdict,
} from './types.ts';

interface PhaseParts {
  readonly plugins: readonly AdmissionPlugin[];
  readonly operation: Operation;
  readonly metrics: AdmissionMetrics;
}

type Call<W> = (write: W, reinvocation: Reinvocation) => Verdict;

/** One phase of a plugin for the writes of an operation, with its metrics. */
export class PluginPhase<W extends RequestedWrite> {
  readonly #call: Call<W>;
  readonly #metrics: MeasuredPhase;

  private constructor(call: Call<W>, metrics: MeasuredPhase) {
    this.#call = call;
    this.#metrics = metrics;
  }

  /** A phase of those plugins that have it, in their order. */
  static of<W extends RequestedWrite>(
    phase: Phase,
    callOf: (plugin: AdmissionPlugin) => Call<W> | undefined,
    { plugins, operation, metrics }: PhaseParts,
  ): readonly PluginPhase<W>[] {
    return plugins.flatMap((plugin) => {
      const call = callOf(plugin)?.bind(plugin);
      return call === undefined ? [] : new PluginPhase<W>(call, metrics.phase(plugin.name, phase, operation));
    });
  }

  /** The verdict of the plugin; synchronous when the plugin decides synchronously. */
  decide(write: W, reinvocation: Reinvocation): Verdict {
    const began = this.#metrics.began();
    let verdict: Verdict;
    try {
      verdict = this.#call(write, reinvocation);
    } catch (error) {
      this.#metrics.ended(write, began, true);
      throw error;
    }
    if (verdict instanceof Promise) return this.#decided(verdict, write, began);
    this.#metrics.ended(write, began, verdict !== undefined);
    return verdict;
  }

  async #decided(
    pending: Promise<Refusal | undefined>,
    write: W,
    began: number,
  ): Promise<Refusal | undefined> {
    let isRejected = true;
    try {
      const refusal = await pending;
      isRejected = refusal !== undefined;
      return refusal;
    } finally {
      this.#metrics.ended(write, began, isRejected);
    }
  }
}

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
