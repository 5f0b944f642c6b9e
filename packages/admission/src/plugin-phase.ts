import type { AdmissionMetrics, MeasuredPhase } from './admission-metrics.ts';
import type {
  AdmissionPlugin,
  Operation,
  Phase,
  Refusal,
  Reinvocation,
  RequestedWrite,
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
