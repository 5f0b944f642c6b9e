import type { Reconciled } from '@orch/client';
import { errors, hasDeletionTimestamp, type ObjectMeta } from '@orch/machinery';
import { type Decision, decide } from './decide.ts';
import type { LiveObjects, MetaChange, Rejection, Target } from './live-objects.ts';
import { isOrphaning, isWaiting } from './object-state.ts';
import { orphanDependents } from './orphan-dependents.ts';
import type { ObservedObject } from './owner-ref.ts';
import { OwnerStates, type OwnerStatesContext } from './owner-states.ts';

export interface CollectorContext extends OwnerStatesContext {
  readonly live: LiveObjects;
  /** Reports whether the graph has contained all objects of one point in time; no owner is released before that. */
  readonly isComplete: () => boolean;
}

/** Delay before objects with unknown or unobserved owners are examined again. */
const RECHECK_MS = 60_000;
const INCOMPLETE_RETRY_MS = 1_000;
/** Attempts of one examination after concurrent changes of the object. */
const MAX_ATTEMPTS = 4;

type Outcome = Reconciled | Rejection;

/** Examines one object and its owners, and deletes, orphans or releases it. */
export class Collector {
  readonly #context: CollectorContext;
  readonly #owners: OwnerStates;

  constructor(context: CollectorContext) {
    this.#context = context;
    this.#owners = new OwnerStates(context);
  }

  /**
   * Starts with the version of the object in the graph. The server rejects writes to any other version, and the
   * examination continues with the current version then.
   */
  async examine(uid: string, signal: AbortSignal): Promise<Reconciled> {
    const { graph, live } = this.#context;
    const node = graph.node(uid);
    if (node === undefined) return {};
    const { resource } = node;
    let { meta } = node;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const outcome = await this.#process({ resource, meta }, signal);
      if (outcome === 'gone') return {};
      if (outcome !== 'changed') return outcome;
      const before = graph.node(uid)?.meta;
      const current = await live.get(resource, meta, signal);
      if (current?.uid !== uid) return {};
      graph.applyResponse(resource, before, current);
      meta = current;
    }
    throw errors.conflict(
      { group: resource.group, kind: resource.resource, name: meta.name ?? '' },
      'the object is being modified too often; it is examined again later',
    );
  }

  #process(target: Target, signal: AbortSignal): Promise<Outcome> | Outcome {
    const { meta } = target;
    const { names } = this.#context;
    if (!hasDeletionTimestamp(meta)) return this.#processOwned(target, signal);
    if (isOrphaning(meta, names)) return this.#orphan(target, signal);
    if (isWaiting(meta, names)) return this.#release(target, signal);
    return {};
  }

  async #processOwned(target: Target, signal: AbortSignal): Promise<Outcome> {
    const owners = await this.#owners.check(target, signal);
    const states = owners.map(({ state }) => state);
    const dependents = states.includes('waiting') ? this.#dependentsOf(target) : noDependents;
    const decision = decide({ meta: target.meta, states, ...dependents }, this.#context.names);
    const outcome = await this.#carryOut(target, decision, signal);
    if (outcome !== 'done') return outcome;
    const mustRecheck = owners.some(({ isUnobserved }) => isUnobserved) || decision.kind === 'later';
    return mustRecheck ? { requeueAfterMs: RECHECK_MS } : {};
  }

  #dependentsOf(target: Target): typeof noDependents {
    const { graph, names } = this.#context;
    let hasDependents = false;
    for (const dependent of graph.dependentsOf(observed(target))) {
      hasDependents = true;
      if (isWaiting(dependent.meta, names)) return { hasDependents, hasWaitingDependent: true };
    }
    return { hasDependents, hasWaitingDependent: false };
  }

  async #carryOut(target: Target, decision: Decision, signal: AbortSignal): Promise<'done' | Rejection> {
    switch (decision.kind) {
      case 'nothing':
      case 'later':
        return 'done';
      case 'setOwners': {
        const result = await this.#change(target, { ownerReferences: decision.owners }, signal);
        return typeof result === 'string' ? result : 'done';
      }
      case 'delete': {
        const { unblocked, policy } = decision;
        const meta =
          unblocked === undefined
            ? target.meta
            : await this.#change(target, { ownerReferences: unblocked }, signal);
        if (typeof meta === 'string') return meta;
        const result = await this.#context.live.delete({ resource: target.resource, meta }, policy, signal);
        return result === 'deleted' ? 'done' : result;
      }
    }
  }

  async #change(target: Target, change: MetaChange, signal: AbortSignal): Promise<ObjectMeta | Rejection> {
    const { live, graph } = this.#context;
    const result = await live.change(target, change, signal);
    if (typeof result !== 'string') graph.applyResponse(target.resource, target.meta, result);
    return result;
  }

  /** Removes the reference from all dependents, then the orphan finalizer from the owner. */
  async #orphan(target: Target, signal: AbortSignal): Promise<Outcome> {
    if (!this.#context.isComplete()) return { requeueAfterMs: INCOMPLETE_RETRY_MS };
    await orphanDependents(this.#context, target, signal);
    return this.#changed(target, withoutFinalizer(target, this.#context.names.finalizers.orphan), signal);
  }

  /**
   * Removes the foreground finalizer of an owner without blocking dependents; every deletion of one adds the owner to the
   * queue again. Owners that block each other in a cycle stop blocking, because none would be deleted otherwise.
   */
  #release(target: Target, signal: AbortSignal): Promise<Outcome> | Outcome {
    const { graph, names } = this.#context;
    const owner = observed(target);
    for (const _ of graph.blockersOf(owner))
      return graph.isInCycle(owner) ? this.#unblock(target, signal) : {};
    if (!this.#context.isComplete()) return { requeueAfterMs: INCOMPLETE_RETRY_MS };
    return this.#changed(target, withoutFinalizer(target, names.finalizers.foregroundDeletion), signal);
  }

  async #unblock(target: Target, signal: AbortSignal): Promise<Outcome> {
    const owners = target.meta.ownerReferences ?? [];
    if (!owners.some(({ blockOwnerDeletion }) => blockOwnerDeletion === true)) return {};
    const ownerReferences = owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    return this.#changed(target, { ownerReferences }, signal);
  }

  async #changed(target: Target, change: MetaChange, signal: AbortSignal): Promise<Outcome> {
    const result = await this.#change(target, change, signal);
    return typeof result === 'string' ? result : {};
  }
}

/** For objects whose owners do not wait, to which dependents make no difference. */
const noDependents = { hasDependents: false, hasWaitingDependent: false };

const observed = ({ resource, meta }: Target): ObservedObject => ({ kind: resource.kind, meta });

const withoutFinalizer = ({ meta }: Target, finalizer: string): MetaChange => ({
  finalizers: (meta.finalizers ?? []).filter((name) => name !== finalizer),
});
