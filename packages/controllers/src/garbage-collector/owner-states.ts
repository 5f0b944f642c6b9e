import type { EventRecorder } from '@orch/client';
import { formatApiVersion, type Names } from '@orch/machinery';
import type { BoundedCache } from '@orch/machinery/bounded-cache';
import { Semaphore } from '@orch/machinery/concurrency';
import type { OwnerState } from './decide.ts';
import type { Target } from './live-objects.ts';
import { isWaiting } from './object-state.ts';
import type { OwnerGraph } from './owner-graph.ts';
import type { OwnerLookup } from './owner-lookup.ts';
import { type OwnerRef, ownerRefsOf } from './owner-ref.ts';

/** Concurrent lookups for one object, which may have thousands of owners. */
const PARALLEL_LOOKUPS = 8;

export interface OwnerStatesContext {
  readonly names: Names;
  readonly graph: OwnerGraph;
  readonly lookup: OwnerLookup;
  readonly events: EventRecorder;
  /** Invalid references that an event was recorded for: an unchanged object is examined repeatedly. */
  readonly reported: BoundedCache<string, true>;
}

export interface CheckedOwner {
  readonly state: OwnerState;
  /** The owner exists, or may exist, and no informer delivers its changes. */
  readonly isUnobserved: boolean;
}

interface InvalidOwnerRef {
  readonly ref: OwnerRef;
  readonly reason: 'OwnerRefInvalidNamespace' | 'OwnerRefInvalidUID';
  readonly problem: string;
}

/** Determines the states of the owners of an object, and records events about invalid references. */
export class OwnerStates {
  readonly #context: OwnerStatesContext;

  constructor(context: OwnerStatesContext) {
    this.#context = context;
  }

  /** The states of all owners, in the order of the references. */
  async check(target: Target, signal: AbortSignal): Promise<readonly CheckedOwner[]> {
    const permits = new Semaphore(PARALLEL_LOOKUPS);
    return await Promise.all(
      ownerRefsOf(target.meta).map((ref) => permits.run(signal, () => this.#checkOne(target, ref, signal))),
    );
  }

  /** Observed owners that are not being deleted need no lookup; all others are looked up on the server. */
  async #checkOne(target: Target, ref: OwnerRef, signal: AbortSignal): Promise<CheckedOwner> {
    const { graph, lookup, names } = this.#context;
    const owner = graph.ownerOf(ref);
    if (owner !== undefined && !isWaiting(owner.meta, names)) return { state: 'solid', isUnobserved: false };
    const result = await lookup.find(ref, signal);
    if (result === 'noNamespace' || graph.mismatchOf(ref) !== undefined) this.#reportNamespace(target, ref);
    if (result === 'noNamespace') return { state: 'unknown', isUnobserved: true };
    if (result === 'otherUid') {
      const problem = 'does not exist: the object of that name has another uid';
      this.#report(target, { ref, reason: 'OwnerRefInvalidUID', problem });
      return { state: 'absent', isUnobserved: false };
    }
    return { state: result, isUnobserved: owner === undefined && result !== 'absent' };
  }

  /** Reports a reference to an object of another namespace, or from a cluster-scoped object to a namespaced one. */
  #reportNamespace(target: Target, ref: OwnerRef): void {
    const other = this.#context.graph.mismatchOf(ref)?.meta;
    if (other !== undefined && (other.namespace ?? '') === ref.namespace) return;
    const scope =
      ref.namespace === '' ? 'outside of namespaces' : `in namespace ${JSON.stringify(ref.namespace)}`;
    const problem = `does not exist ${scope}: an owner has no namespace or that of its dependent`;
    this.#report(target, { ref, reason: 'OwnerRefInvalidNamespace', problem });
  }

  #report({ resource, meta }: Target, { ref, reason, problem }: InvalidOwnerRef): void {
    const { events, reported } = this.#context;
    const key = `${meta.uid} ${ref.key}`;
    if (reported.get(key)) return;
    reported.set(key, true);
    const { apiVersion, kind, namespace, name, uid } = ref;
    events.record(
      { apiVersion: formatApiVersion(resource), kind: resource.kind, metadata: meta },
      {
        type: 'Warning',
        reason,
        message: `ownerRef [${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}] ${problem}`,
      },
    );
  }
}
