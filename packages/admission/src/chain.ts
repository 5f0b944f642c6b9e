import { type Clock, errors, type Metrics, type Names } from '@orch/machinery';
import { type AdmissionMetrics, admissionMetrics } from './admission-metrics.ts';
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  Operation,
  Refusal,
  Reinvocation,
  RequestedWrite,
  Verdict,
  WriteTarget,
} from './types.ts';
import type { VersionedResource } from './versioned-resource.ts';

export interface ChainParts {
  readonly names: Names;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly metrics: Metrics;
}

/** All plugins of a server, in their order. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #names: Names;
  readonly #metrics: AdmissionMetrics;
  /** By resource and operation; for resources that are served. */
  readonly #matched = new WeakMap<VersionedResource, Map<Operation, MatchedPlugins>>();

  constructor(plugins: readonly AdmissionPlugin[], { names, clock, metrics }: ChainParts) {
    this.#plugins = plugins;
    this.#names = names;
    this.#metrics = admissionMetrics(metrics, clock);
  }

  get pluginNames(): readonly string[] {
    return this.#plugins.map(({ name }) => name);
  }

  /** The admission of such writes; undefined when no plugin handles them. */
  admissionOf(target: WriteTarget): WriteAdmission | undefined {
    const operations = this.#matched.get(target.requested);
    const matched = operations?.get(target.operation) ?? this.#match(target);
    return matched.admissionOf(target);
  }

  #match(target: WriteTarget): MatchedPlugins {
    const plugins = this.#plugins.filter((plugin) => plugin.handles(target));
    const matched = new MatchedPlugins(plugins, this.#names, this.#metrics);
    const operations = this.#matched.get(target.requested) ?? new Map<Operation, MatchedPlugins>();
    this.#matched.set(target.requested, operations.set(target.operation, matched));
    return matched;
  }
}

/** The plugins that handle writes of one resource. */
class MatchedPlugins {
  readonly #plugins: readonly AdmissionPlugin[];
  /** Those that do not apply to all of the writes. */
  readonly #selective: readonly AdmissionPlugin[];
  readonly #names: Names;
  readonly #metrics: AdmissionMetrics;
  /** By the selective plugins that apply to a write, one bit for each. */
  readonly #admissions = new Map<number, WriteAdmission | undefined>();

  constructor(plugins: readonly AdmissionPlugin[], names: Names, metrics: AdmissionMetrics) {
    this.#plugins = plugins;
    this.#selective = plugins.filter(({ handlesWrite }) => handlesWrite !== undefined);
    this.#names = names;
    this.#metrics = metrics;
  }

  admissionOf(target: WriteTarget): WriteAdmission | undefined {
    let applying = 0;
    for (const [index, plugin] of this.#selective.entries())
      if (plugin.handlesWrite?.(target) === true) applying |= 1 << index;
    const known = this.#admissions.get(applying);
    if (known !== undefined || this.#admissions.has(applying)) return known;
    const admission = this.#admissionBy(applying);
    this.#admissions.set(applying, admission);
    return admission;
  }

  #admissionBy(applying: number): WriteAdmission | undefined {
    const excluded = new Set(this.#selective.filter((_, index) => (applying & (1 << index)) === 0));
    const plugins = this.#plugins.filter((plugin) => !excluded.has(plugin));
    return plugins.length === 0 ? undefined : new WriteAdmission(plugins, this.#names, this.#metrics);
  }
}

const second: Reinvocation = { isSecond: true, request: () => {} };

/** The plugins that apply to a write. Its phases are called in order, for each state of the object that the write starts from. */
export class WriteAdmission {
  readonly #prechecking: readonly AdmissionPlugin[];
  readonly #mutating: readonly AdmissionPlugin[];
  readonly #validating: readonly AdmissionPlugin[];
  readonly #reserving: readonly AdmissionPlugin[];
  readonly #names: Names;
  readonly #metrics: AdmissionMetrics;

  constructor(plugins: readonly AdmissionPlugin[], names: Names, metrics: AdmissionMetrics) {
    this.#prechecking = plugins.filter(({ precheck }) => precheck !== undefined);
    this.#mutating = plugins.filter(({ mutate }) => mutate !== undefined);
    this.#validating = plugins.filter(({ validate }) => validate !== undefined);
    this.#reserving = plugins.filter(({ reserve }) => reserve !== undefined);
    this.#names = names;
    this.#metrics = metrics;
  }

  /** Whether a plugin may change the object of the write. */
  get mutates(): boolean {
    return this.#mutating.length > 0;
  }

  /** Whether a plugin decides on the object as it will be stored. */
  get validates(): boolean {
    return this.#validating.length > 0 || this.#reserving.length > 0;
  }

  /**
   * Decides on a write whose objects are not read yet. Synchronous when its plugins are. Throws or rejects with the first
   * refusal, an `ApiError` with code 403.
   */
  precheck(write: RequestedWrite): void | Promise<void> {
    return this.#precheckFrom(0, write);
  }

  /** Changes `object` in place. Rejects with the first refusal, an `ApiError` with code 403. */
  mutate(write: AdmissionAttributes): Promise<void> {
    return this.#metrics.step('admit', write, async () => {
      let isAgain = false;
      const request = (): void => {
        isAgain = true;
      };
      await this.#mutateOnce(write, { isSecond: false, request });
      if (isAgain) await this.#mutateOnce(write, second);
    });
  }

  /** Rejects with the refusal of the first plugin that refuses, an `ApiError` with code 403. */
  validate(write: AdmissionAttributes): Promise<void> {
    return this.#metrics.step('validate', write, async () => {
      await this.#concurrently(write);
      await this.#inOrder(this.#reserving, write, (plugin) => this.#call('reserve', plugin, write));
    });
  }

  #precheckFrom(first: number, write: RequestedWrite): void | Promise<void> {
    for (let index = first; index < this.#prechecking.length; index++) {
      const plugin = this.#prechecking[index];
      const called = this.#metrics.plugin(plugin?.name ?? '', 'precheck', write, () =>
        plugin?.precheck?.(write),
      );
      if (called instanceof Promise)
        return called.then((refusal) => {
          if (refusal !== undefined) throw this.#forbidden(write, refusal);
          return this.#precheckFrom(index + 1, write);
        });
      if (called !== undefined) throw this.#forbidden(write, called);
    }
  }

  #mutateOnce(write: AdmissionAttributes, reinvocation: Reinvocation): Promise<void> {
    return this.#inOrder(this.#mutating, write, (plugin) =>
      this.#metrics.plugin(plugin.name, 'mutate', write, () => plugin.mutate?.(write, reinvocation)),
    );
  }

  async #inOrder(
    plugins: readonly AdmissionPlugin[],
    write: AdmissionAttributes,
    call: (plugin: AdmissionPlugin) => Verdict,
  ): Promise<void> {
    for (const plugin of plugins) {
      const called = call(plugin);
      const refusal = called instanceof Promise ? await called : called;
      if (refusal !== undefined) throw this.#forbidden(write, refusal);
    }
  }

  /** Synchronous plugins decide in order; asynchronous ones run concurrently. */
  async #concurrently(write: AdmissionAttributes): Promise<void> {
    const waiting: Promise<Refusal | undefined>[] = [];
    for (const plugin of this.#validating) {
      const called = this.#call('validate', plugin, write);
      if (called instanceof Promise) {
        // A synchronous refusal ends the wait for the other plugins; their failures are then ignored.
        called.catch(() => {});
        waiting.push(called);
      } else if (called !== undefined) throw this.#forbidden(write, called);
    }
    for (const pending of waiting) {
      const refusal = await pending;
      if (refusal !== undefined) throw this.#forbidden(write, refusal);
    }
  }

  #call(phase: 'validate' | 'reserve', plugin: AdmissionPlugin, write: AdmissionAttributes): Verdict {
    return this.#metrics.plugin(plugin.name, phase, write, () => plugin[phase]?.(write));
  }

  #forbidden({ group, resource, name }: RequestedWrite, refusal: string): Error {
    return errors.forbidden({ group: this.#names.group(group), kind: resource, name }, refusal);
  }
}
