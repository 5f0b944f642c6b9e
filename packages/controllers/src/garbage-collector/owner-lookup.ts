import type { Names } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import type { AbsentOwners } from './absent-owners.ts';
import type { OwnerState } from './decide.ts';
import type { LiveObjects } from './live-objects.ts';
import { isWaiting } from './object-state.ts';
import type { OwnerRef } from './owner-ref.ts';

/**
 * `noNamespace`: a cluster-scoped object refers to a namespaced owner, whose namespace is unknown. `otherUid`: the owner
 * is absent, and an object with another uid has its name.
 */
export type LookupResult = OwnerState | 'noNamespace' | 'otherUid';

/** Looks up owners on the server. Concurrent lookups of the same owner share the result. */
export class OwnerLookup {
  readonly #live: LiveObjects;
  readonly #absent: AbsentOwners;
  readonly #names: Names;
  readonly #pending = new Map<string, Promise<LookupResult>>();

  constructor(live: LiveObjects, absent: AbsentOwners, names: Names) {
    this.#live = live;
    this.#absent = absent;
    this.#names = names;
  }

  async find(ref: OwnerRef, signal: AbortSignal): Promise<LookupResult> {
    if (this.#absent.has(ref)) return 'absent';
    const shared = this.#pending.get(ref.key);
    if (shared !== undefined) {
      // The shared lookup may fail because the signal of its caller was aborted.
      const result = await abortable(
        shared.catch(() => undefined),
        signal,
      );
      if (result !== undefined) return result;
    }
    const lookup = this.#request(ref, signal);
    this.#pending.set(ref.key, lookup);
    try {
      return await lookup;
    } finally {
      if (this.#pending.get(ref.key) === lookup) this.#pending.delete(ref.key);
    }
  }

  async #request(ref: OwnerRef, signal: AbortSignal): Promise<LookupResult> {
    const { apiVersion, kind, name, namespace } = ref;
    const resource = await this.#live.resourceOf(apiVersion, kind, signal);
    if (resource === undefined) return 'unknown';
    if (resource.namespaced && namespace === '') return 'noNamespace';
    const at = resource.namespaced ? { name, namespace } : { name };
    const meta = await this.#live.get(resource, at, signal);
    // A response without a uid is inconclusive: an extension server may not be able to read the owner.
    if (meta !== undefined && (meta.uid ?? '') === '') return 'unknown';
    if (meta?.uid === ref.uid) return isWaiting(meta, this.#names) ? 'waiting' : 'solid';
    this.#absent.add(ref);
    return meta === undefined ? 'absent' : 'otherUid';
  }
}
