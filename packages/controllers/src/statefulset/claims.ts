import type { EventRecorder, kinds, ResourceClient, Stored } from '@orch/client';
import { ignoreReasons } from '../api/writes.ts';
import { type ClaimPlace, isOfEarlierPod, ownersByPolicy } from './claim-retention.ts';
import { claimsFor, podName } from './pod.ts';
import { createdClaim } from './set-events.ts';

type StatefulSet = Stored<kinds.apps.StatefulSet>;
type Claim = kinds.core.PersistentVolumeClaim;

/** The claims of the pods of sets. */
export class Claims {
  readonly #api: ResourceClient<Claim>;
  readonly #events: EventRecorder;

  constructor(api: ResourceClient<Claim>, events: EventRecorder) {
    this.#api = api;
    this.#events = events;
  }

  /** Creates the missing claims of a pod; reports whether a pod can use all of them. */
  async create(set: StatefulSet, ordinal: number, signal: AbortSignal): Promise<boolean> {
    const api = this.#in(set);
    for (const claim of claimsFor(set, ordinal)) {
      const created = await ignoreReasons(['AlreadyExists'], () => api.create(claim, {}, signal));
      if (created !== undefined) {
        this.#events.record(set, createdClaim(set, { claim: created.metadata.name, ordinal }));
        continue;
      }
      const known = await ignoreReasons(['NotFound'], () => api.get(claim.metadata.name ?? '', {}, signal));
      if (known === undefined || isOfEarlierPod(known, podName(set, ordinal))) return false;
    }
    return true;
  }

  /**
   * Gives the claims of a pod the owners by the policy of the set. Before release 1.28 the role of the controller does not permit
   * that: the claims stay then.
   */
  async setOwners(place: ClaimPlace, ordinal: number, signal: AbortSignal): Promise<void> {
    const api = this.#in(place.set);
    for (const { metadata } of claimsFor(place.set, ordinal)) {
      const claim = await ignoreReasons(['NotFound'], () => api.get(metadata.name ?? '', {}, signal));
      if (claim === undefined) continue;
      const ownerReferences = ownersByPolicy(claim, place);
      if (ownerReferences === undefined) continue;
      const changed = { ...claim, metadata: { ...claim.metadata, ownerReferences } };
      await ignoreReasons(['NotFound', 'Forbidden'], () => api.update(changed, {}, signal));
    }
  }

  #in({ metadata }: StatefulSet): ResourceClient<Claim> {
    return this.#api.in(metadata.namespace ?? '');
  }
}
