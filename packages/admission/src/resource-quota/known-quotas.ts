import type { ObjectSource } from '@orch/auth';
import type { RuleObjects } from '../types.ts';
import { type QuotaState, quotaState } from './quota-state.ts';

const RESOURCE = 'resourcequotas';

/** The quotas of each namespace: the newest states from the cache or from calls of `learn`. */
export class KnownQuotas implements RuleObjects {
  isEmpty = true;
  readonly #source: ObjectSource;
  /** By namespace, in order of their names. */
  readonly #namespaces = new Map<string, Map<string, Known>>();

  constructor(source: ObjectSource) {
    this.#source = source;
    source.subscribe(RESOURCE, {
      reset: (objects) => {
        const before = new Map(this.#namespaces);
        this.#namespaces.clear();
        for (const { key, revision } of objects) this.#set(key, revision);
        this.#keep(before);
        this.isEmpty = this.#namespaces.size === 0;
      },
      changed: (key, object) => {
        if (object === undefined) this.#remove(key);
        else this.#set(key, object.revision);
        this.isEmpty = this.#namespaces.size === 0;
      },
    });
  }

  /** Reports whether a namespace has quotas. */
  has(namespace: string): boolean {
    return this.#namespaces.has(namespace);
  }

  /** In order of their names. */
  in(namespace: string): readonly QuotaState[] {
    const quotas = this.#namespaces.get(namespace);
    if (quotas === undefined) return [];
    return [...quotas].map(([name, known]) => this.#stateOf(namespace, name, known)).filter(isDefined);
  }

  /** Uses a state that was written or read by this server until the cache delivers a newer one. */
  learn(quota: QuotaState): void {
    const known = this.#namespaces.get(quota.namespace)?.get(quota.name);
    if (known === undefined || quota.revision < known.revision) return;
    // What is known of the calculation remains known when the state is read.
    if (known.state?.revision !== quota.revision || quota.calculatedBy !== undefined) known.state = quota;
  }

  #stateOf(namespace: string, name: string, known: Known): QuotaState | undefined {
    if (known.state !== undefined && known.state.revision >= known.revision) return known.state;
    const object = this.#source.get(RESOURCE, namespace, name);
    known.state = object === undefined ? undefined : quotaState(object, known.revision);
    return known.state;
  }

  #set(key: string, revision: number): void {
    const [namespace, name] = split(key);
    const quotas = this.#namespaces.get(namespace) ?? new Map<string, Known>();
    const known = quotas.get(name);
    if (known !== undefined) {
      known.revision = revision;
      return;
    }
    const added = [...quotas, [name, { revision, state: undefined }] as const];
    this.#namespaces.set(namespace, new Map(added.sort(([a], [b]) => (a < b ? -1 : 1))));
  }

  /** Keeps the states that are no older than the objects that were loaded again. */
  #keep(before: ReadonlyMap<string, ReadonlyMap<string, Known>>): void {
    for (const [namespace, quotas] of this.#namespaces)
      for (const [name, known] of quotas) {
        const state = before.get(namespace)?.get(name)?.state;
        if (state !== undefined && state.revision >= known.revision) known.state = state;
      }
  }

  #remove(key: string): void {
    const [namespace, name] = split(key);
    const quotas = this.#namespaces.get(namespace);
    quotas?.delete(name);
    if (quotas?.size === 0) this.#namespaces.delete(namespace);
  }
}

interface Known {
  /** The state delivered by the cache. */
  revision: number;
  /** The newest state that was used; undefined before the first use. */
  state: QuotaState | undefined;
}

const isDefined = (quota: QuotaState | undefined): quota is QuotaState => quota !== undefined;

function split(key: string): readonly [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}
