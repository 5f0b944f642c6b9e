import type { ObjectSource } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import { type QuotaState, quotaState } from './quota-state.ts';

const RESOURCE = 'resourcequotas';

/** The quotas of each namespace: the newest states that the cache has delivered, or that `learn` was called with. */
export class KnownQuotas {
  readonly #source: ObjectSource;
  /** Names by namespace, in order. */
  readonly #names = new Map<string, readonly string[]>();
  /** States that are newer than those of the cache. */
  readonly #ahead = new Map<string, QuotaState>();
  readonly #parsed = new WeakMap<ApiObject, QuotaState>();

  constructor(source: ObjectSource) {
    this.#source = source;
    source.subscribe(RESOURCE, {
      reset: (objects) => {
        this.#names.clear();
        for (const { key } of objects) this.#add(key);
      },
      changed: (key, object) => (object === undefined ? this.#remove(key) : this.#add(key)),
    });
  }

  /** In order of their names. */
  in(namespace: string): readonly QuotaState[] {
    const names = this.#names.get(namespace);
    if (names === undefined) return [];
    return names.map((name) => this.#find(namespace, name)).filter((quota) => quota !== undefined);
  }

  /** Uses a state that was written or read by this server until the cache delivers it, or a newer one. */
  learn(quota: QuotaState): void {
    const key = `${quota.namespace}/${quota.name}`;
    if (this.#names.get(quota.namespace)?.includes(quota.name) === true) this.#ahead.set(key, quota);
  }

  #find(namespace: string, name: string): QuotaState | undefined {
    const object = this.#source.get(RESOURCE, namespace, name);
    if (object === undefined) return undefined;
    const cached = this.#parse(object);
    const key = `${namespace}/${name}`;
    const ahead = this.#ahead.get(key);
    if (ahead !== undefined && ahead.revision > cached.revision) return ahead;
    this.#ahead.delete(key);
    return cached;
  }

  #parse(object: ApiObject): QuotaState {
    const parsed = this.#parsed.get(object) ?? quotaState(object, revisionOf(object));
    this.#parsed.set(object, parsed);
    return parsed;
  }

  #add(key: string): void {
    const [namespace, name] = split(key);
    const names = this.#names.get(namespace) ?? [];
    if (!names.includes(name)) this.#names.set(namespace, [...names, name].sort());
  }

  #remove(key: string): void {
    const [namespace, name] = split(key);
    const names = (this.#names.get(namespace) ?? []).filter((other) => other !== name);
    this.#ahead.delete(key);
    if (names.length === 0) this.#names.delete(namespace);
    else this.#names.set(namespace, names);
  }
}

const revisionOf = ({ metadata }: ApiObject): number => Number(metadata.resourceVersion ?? 0);

function split(key: string): readonly [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}
