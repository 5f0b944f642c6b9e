import { MemoryObjectSource } from '@orch/auth/testing';
import type { ApiObject } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import type { QuotaName, QuotaStore, Replaced, StoredQuota } from '../resource-quota/quota-store.ts';

/** The fault of a replacement: it fails before or after it took effect, or loses against another write. */
export type Fault = 'unknown' | 'unknown, written' | 'unavailable' | 'conflict';

/** Quotas in memory, and the caches of replicas, which receive changes when `deliver` is called. */
export class MemoryQuotaStore implements QuotaStore {
  readonly #quotas = new Map<string, StoredQuota>();
  /** Revisions of the last writes by other clients. */
  readonly #calculated = new Map<string, number>();
  readonly #caches: MemoryObjectSource[] = [];
  #revision = 0;
  /** The faults of the next replacements. */
  readonly faults: Fault[] = [];
  /** The operations so far. */
  readonly operations: string[] = [];
  /** Called before each operation takes effect. */
  before: () => Promise<void> = () => Promise.resolve();

  /** The cache of a new replica. */
  cache(): MemoryObjectSource {
    const source = new MemoryObjectSource();
    this.#caches.push(source);
    this.deliver();
    return source;
  }

  /** Writes a quota as another client does. */
  put(object: ApiObject): void {
    this.#write(object);
    this.#calculated.set(keyOf(object.metadata), this.#revision);
  }

  #write(object: ApiObject): void {
    this.#revision += 1;
    const { metadata } = object;
    const stored = {
      ...cloneJson(object),
      metadata: { ...metadata, resourceVersion: String(this.#revision) },
    };
    this.#quotas.set(keyOf(metadata), { object: stored, revision: this.#revision });
  }

  delete(key: string): void {
    this.#quotas.delete(key);
  }

  /** Brings the caches up to date. */
  deliver(): void {
    const objects = [...this.#quotas.values()].map(({ object }) => object);
    for (const cache of this.#caches) cache.replace('resourcequotas', objects);
  }

  used(key: string): unknown {
    return this.#quotas.get(key)?.object['status'];
  }

  async read(name: QuotaName, _signal: AbortSignal): Promise<StoredQuota | undefined> {
    this.operations.push(`read ${name.name}`);
    await this.before();
    return this.#quotas.get(keyOf(name));
  }

  async calculatedBy(name: QuotaName, _signal: AbortSignal): Promise<number | undefined> {
    this.operations.push(`calculatedBy ${name.name}`);
    await this.before();
    return this.#calculated.get(keyOf(name));
  }

  async replace(name: QuotaName, { object, revision }: StoredQuota, signal: AbortSignal): Promise<Replaced> {
    this.operations.push(`replace ${name.name}`);
    await this.before();
    signal.throwIfAborted();
    const fault = this.faults.shift();
    if (fault === 'unavailable') throw new Error('the store is unavailable');
    if (fault === 'unknown') return { outcome: 'unknown' };
    const current = this.#quotas.get(keyOf(name));
    if (fault === 'conflict' && current !== undefined) this.put(current.object);
    if (current?.revision !== revision || fault === 'conflict')
      return { outcome: 'conflict', current: this.#quotas.get(keyOf(name)) };
    this.#write(object);
    return fault === 'unknown, written'
      ? { outcome: 'unknown' }
      : { outcome: 'replaced', revision: this.#revision };
  }
}

const keyOf = ({ namespace = '', name = '' }: Partial<QuotaName>): string => `${namespace}/${name}`;
