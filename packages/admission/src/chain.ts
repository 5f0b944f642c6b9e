import { type Clock, errors, type Metrics, type Names } from '@orch/machinery';
import { admissionMetrics, type Timed } from './admission-metrics.ts';
import type { AdmissionAttributes, AdmissionPlugin, WriteTarget } from './types.ts';

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

  /** Whether any plugin handles such a write. */
  handles(target: WriteTarget): boolean {
    return this.#plugins.some((plugin) => plugin.handles(target));
  }

  /** Calls the plugins in order. Rejects with a 403 `ApiError` that has the first refusal. */
  async admit(write: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) {
      if (!plugin.handles(write)) continue;
      const refusal = await this.#timed(plugin, write, () => plugin.validate(write));
      if (refusal !== undefined) throw this.#forbidden(write, refusal);
    }
  }

  #forbidden({ group, resource, name }: AdmissionAttributes, refusal: string): Error {
    const groups = this.#names;
    return errors.forbidden({ group: groups.group(group), kind: resource, name }, refusal);
  }
}
