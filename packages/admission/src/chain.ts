import { type Clock, errors, type Metrics, type Names } from '@orch/machinery';
import { admissionMetrics, type Timed } from './admission-metrics.ts';
import type { AdmissionPlugin, AdmittedWrite, WriteTarget } from './types.ts';

export interface ChainParts {
  readonly names: Names;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly metrics: Metrics;
}

/** All plugins of a server, in their order. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #names: Names;
  readonly #timed: Timed;

  constructor(plugins: readonly AdmissionPlugin[], { names, clock, metrics }: ChainParts) {
    this.#plugins = plugins;
    this.#names = names;
    this.#timed = admissionMetrics(metrics, clock);
  }

  get pluginNames(): readonly string[] {
    return this.#plugins.map(({ name }) => name);
  }

  /** Whether a write has to be shown to the chain at all. */
  concerns(target: WriteTarget): boolean {
    return this.#plugins.some((plugin) => plugin.concerns(target));
  }

  /** Asks the plugins one after the other. The first refusal is the answer: rejects with a 403 `ApiError`. */
  async admit(write: AdmittedWrite): Promise<void> {
    for (const plugin of this.#plugins) {
      if (!plugin.concerns(write)) continue;
      const refusal = await this.#timed(plugin, write, () => plugin.refuses(write));
      if (refusal !== undefined) throw this.#forbidden(write, refusal);
    }
  }

  #forbidden({ group, resource, name }: AdmittedWrite, refusal: string): Error {
    const groups = this.#names;
    return errors.forbidden({ group: groups.group(group), kind: resource, name }, refusal);
  }
}
