import type { ObjectSource } from '@orch/auth';
import type { PriorityClass } from '@orch/kinds/scheduling';
import { namedClass } from '../shared/named-class.ts';

const RESOURCE = 'priorityclasses.scheduling';

/** The priority classes of the cluster. */
export class PriorityClasses {
  readonly #source: ObjectSource;
  /** The global default; undefined until it is determined again after a change. */
  #default: { readonly found: PriorityClass | undefined } | undefined;

  constructor(source: ObjectSource) {
    this.#source = source;
    const outdated = (): void => {
      this.#default = undefined;
    };
    source.subscribe(RESOURCE, { reset: outdated, changed: outdated });
  }

  /** Undefined when no class has the name. */
  named(name: string, signal: AbortSignal): PriorityClass | undefined | Promise<PriorityClass | undefined> {
    return namedClass(this.#source, RESOURCE, { name, signal });
  }

  /**
   * The class of pods without one. Of several, created at the same time on two replicas, the one with the lowest value.
   */
  globalDefault(): PriorityClass | undefined {
    this.#default ??= { found: this.#determineDefault() };
    return this.#default.found;
  }

  /** The global default, after all writes before the call. */
  async freshGlobalDefault(signal: AbortSignal): Promise<PriorityClass | undefined> {
    await this.#source.fresh(signal);
    return this.globalDefault();
  }

  #determineDefault(): PriorityClass | undefined {
    return this.#source
      .list(RESOURCE)
      .map((object) => object.read())
      .filter(({ globalDefault }) => globalDefault === true)
      .toSorted(byValueAndName)[0];
  }
}

const byValueAndName = (a: PriorityClass, b: PriorityClass): number =>
  (a.value ?? 0) - (b.value ?? 0) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
