import { type Clock, errors, type Metrics, type Names } from '@orch/machinery';
import { type AdmissionMetrics, admissionMetrics, PluginPhase } from './plugin-phase.ts';
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  Operation,
  Refusal,
  Reinvocation,
  RequestedWrite,
  ResourceTarget,
  RuleObjects,
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
    const matched = new MatchedPlugins(plugins, target, {
      names: this.#names,
      metrics: this.#metrics,
    });
    const operations = this.#matched.get(target.requested) ?? new Map<Operation, MatchedPlugins>();
    this.#matched.set(target.requested, operations.set(target.operation, matched));
    return matched;
  }
}

interface AdmissionParts {
  readonly names: Names;
  readonly metrics: AdmissionMetrics;
}

/** A plugin that decides for each write whether it applies. */
interface SelectivePlugin {
  readonly plugin: AdmissionPlugin;
  /** It applies to no write while these are empty. */
  readonly objects: RuleObjects | undefined;
}

/** The plugins that handle one operation on a resource. */
class MatchedPlugins {
  readonly #plugins: readonly AdmissionPlugin[];
  /** The plugins that do not apply to all writes. */
  readonly #selective: readonly SelectivePlugin[];
  readonly #operation: Operation;
  readonly #parts: AdmissionParts;
  /** By the selective plugins that apply to a write, one bit for each. */
  readonly #admissions = new Map<number, WriteAdmission | undefined>();

  constructor(plugins: readonly AdmissionPlugin[], target: ResourceTarget, parts: AdmissionParts) {
    this.#plugins = plugins;
    this.#selective = plugins
      .filter(({ handlesWrite }) => handlesWrite !== undefined)
      .map((plugin) => ({ plugin, objects: plugin.configuredBy?.(target) }));
    this.#operation = target.operation;
    this.#parts = parts;
  }

  admissionOf(target: WriteTarget): WriteAdmission | undefined {
    let applying = 0;
    for (let index = 0; index < this.#selective.length; index++) {
      const each = this.#selective[index];
      if (each?.objects?.isEmpty === true) continue;
      if (each?.plugin.handlesWrite?.(target) === true) applying |= 1 << index;
    }
    const known = this.#admissions.get(applying);
    if (known !== undefined || this.#admissions.has(applying)) return known;
    const admission = this.#admissionBy(applying);
    this.#admissions.set(applying, admission);
    return admission;
  }

  #admissionBy(applying: number): WriteAdmission | undefined {
    const excluded = new Set(
      this.#selective.filter((_, index) => (applying & (1 << index)) === 0).map(({ plugin }) => plugin),
    );
    const plugins = this.#plugins.filter((plugin) => !excluded.has(plugin));
    return plugins.length === 0 ? undefined : new WriteAdmission(plugins, this.#operation, this.#parts);
  }
}

const second: Reinvocation = { isSecond: true, request: () => {} };
const once: Reinvocation = { isSecond: false, request: () => {} };

/**
 * The plugins that apply to a write. Its phases are called in order, for each state of the object from which the write
 * starts.
 */
export class WriteAdmission {
  readonly #prechecking: readonly PluginPhase<RequestedWrite>[];
  readonly #mutating: readonly PluginPhase<AdmissionAttributes>[];
  readonly #validating: readonly PluginPhase<AdmissionAttributes>[];
  readonly #reserving: readonly PluginPhase<AdmissionAttributes>[];
  readonly #names: Names;
  readonly #metrics: AdmissionMetrics;

  constructor(plugins: readonly AdmissionPlugin[], operation: Operation, { names, metrics }: AdmissionParts) {
    const parts = { plugins, operation, metrics };
    this.#prechecking = PluginPhase.of('precheck', (plugin) => plugin.precheck, parts);
    this.#mutating = PluginPhase.of('mutate', (plugin) => plugin.mutate, parts);
    this.#validating = PluginPhase.of('validate', (plugin) => plugin.validate, parts);
    this.#reserving = PluginPhase.of('reserve', (plugin) => plugin.reserve, parts);
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
   * Decides on a write whose objects have not been read yet. Synchronous when its plugins are. Throws or rejects with
   * the first refusal, an `ApiError` with code 403.
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
      await this.#inOrder(this.#mutating, write, { isSecond: false, request });
      if (isAgain) await this.#inOrder(this.#mutating, write, second);
    });
  }

  /** Rejects with the refusal of the first plugin that refuses, an `ApiError` with code 403. */
  validate(write: AdmissionAttributes): Promise<void> {
    return this.#metrics.step('validate', write, async () => {
      await this.#concurrently(write);
      await this.#inOrder(this.#reserving, write, once);
    });
  }

  #precheckFrom(first: number, write: RequestedWrite): void | Promise<void> {
    for (let index = first; index < this.#prechecking.length; index++) {
      const called = this.#prechecking[index]?.decide(write, once);
      if (called instanceof Promise)
        return called.then((refusal) => {
          if (refusal !== undefined) throw this.#forbidden(write, refusal);
          return this.#precheckFrom(index + 1, write);
        });
      if (called !== undefined) throw this.#forbidden(write, called);
    }
  }

  async #inOrder(
    phases: readonly PluginPhase<AdmissionAttributes>[],
    write: AdmissionAttributes,
    reinvocation: Reinvocation,
  ): Promise<void> {
    for (const phase of phases) {
      const called = phase.decide(write, reinvocation);
      const refusal = called instanceof Promise ? await called : called;
      if (refusal !== undefined) throw this.#forbidden(write, refusal);
    }
  }

  /** Synchronous plugins decide in order; asynchronous ones run concurrently. */
  async #concurrently(write: AdmissionAttributes): Promise<void> {
    const waiting: Promise<Refusal | undefined>[] = [];
    for (const phase of this.#validating) {
      const called = phase.decide(write, once);
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

  #forbidden(write: RequestedWrite & Partial<AdmissionAttributes>, refusal: string): Error {
    const { group, resource } = write;
    return errors.forbidden(
      { group: this.#names.group(group), kind: resource, name: nameIn(write) },
      refusal,
    );
  }
}

/** The name of the object of a write; of a new one that has none yet, what its name will begin with. */
function nameIn({ operation, name, object }: RequestedWrite & Partial<AdmissionAttributes>): string {
  if (operation !== 'CREATE' || name !== '') return name;
  return object?.metadata.name || object?.metadata.generateName || 'Unknown';
}
