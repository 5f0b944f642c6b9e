import { abortable, type Names } from '@orch/machinery';
import type { AbsentOwners } from './absent-owners.ts';
import type { Claim } from './claim.ts';
import type { OwnerState } from './decide.ts';
import type { LiveObjects } from './live-objects.ts';
import { isWaiting } from './object-state.ts';

/**
 * `outOfReach`: an object of the cluster says that one of a namespace owns it, and does not say of which. `another`: the
 * owner is absent, and an object of another uid has its name.
 */
export type Found = OwnerState | 'outOfReach' | 'another';

/**
 * Looks for owners where a claim says that they are, in the server's current state. Claims for the same owner that come
 * while it is being looked for share the answer.
 */
export class OwnerLookup {
  readonly #live: LiveObjects;
  readonly #absent: AbsentOwners;
  readonly #names: Names;
  readonly #underWay = new Map<string, Promise<Found>>();

  constructor(live: LiveObjects, absent: AbsentOwners, names: Names) {
    this.#live = live;
    this.#absent = absent;
    this.#names = names;
  }

  async look(claim: Claim, signal: AbortSignal): Promise<Found> {
    if (this.#absent.has(claim)) return 'absent';
    const shared = this.#underWay.get(claim.key);
    if (shared !== undefined) {
      // The look of another may have ended with the other's signal.
      const found = await abortable(
        shared.catch(() => undefined),
        signal,
      );
      if (found !== undefined) return found;
    }
    const look = this.#ask(claim, signal);
    this.#underWay.set(claim.key, look);
    try {
      return await look;
    } finally {
      if (this.#underWay.get(claim.key) === look) this.#underWay.delete(claim.key);
    }
  }

  async #ask(claim: Claim, signal: AbortSignal): Promise<Found> {
    const { apiVersion, kind, name, namespace } = claim;
    const resource = await this.#live.resourceOf(apiVersion, kind, signal);
    if (resource === undefined) return 'unknown';
    if (resource.namespaced && namespace === '') return 'outOfReach';
    const at = resource.namespaced ? { name, namespace } : { name };
    const meta = await this.#live.get(resource, at, signal);
    if (meta?.uid === claim.uid) return isWaiting(meta, this.#names) ? 'waiting' : 'solid';
    this.#absent.add(claim);
    return meta === undefined ? 'absent' : 'another';
  }
}
