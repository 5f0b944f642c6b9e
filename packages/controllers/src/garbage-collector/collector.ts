import type { EventRecorder, Reconciled } from '@orch/client';
import {
  errors,
  formatApiVersion,
  hasDeletionTimestamp,
  type Names,
  type ObjectMeta,
  Semaphore,
} from '@orch/machinery';
import { type Claim, claimsOf, type Seen } from './claim.ts';
import { type Decision, decide, type OwnerState } from './decide.ts';
import { letDependentsGo } from './let-go.ts';
import type { LiveObjects, Refusal, Target } from './live-objects.ts';
import { isOrphaning, isWaiting } from './object-state.ts';
import type { OwnerGraph } from './owner-graph.ts';
import type { OwnerLookup } from './owner-lookup.ts';
import type { RecentKeys } from './recent-keys.ts';

export interface CollectorContext {
  readonly names: Names;
  readonly graph: OwnerGraph;
  readonly lookup: OwnerLookup;
  readonly live: LiveObjects;
  readonly events: EventRecorder;
  /** Mistakes that were told of: what stays as it is, is looked at again and again. */
  readonly reported: RecentKeys;
  /** Whether the graph has everything that is there, as of some time: no owner is let go before. */
  readonly isComplete: () => boolean;
}

/** When to look again for what could not be found out, and for owners that no informer shows. */
const LOOK_AGAIN_MS = 60_000;
const COMPLETE_AGAIN_MS = 1_000;
/** How often one examination begins anew because the object was changed meanwhile. */
const MAX_ATTEMPTS = 4;
/** Owners of one object that are looked for at the same time: an object may name thousands. */
const PARALLEL_LOOKS = 8;

/**
 * Does what is to be done about one object, if anything. Starts from what the graph says, whose every write is refused
 * when the object is in another state meanwhile, and goes on with the object's current state then.
 */
export async function examine(
  context: CollectorContext,
  uid: string,
  signal: AbortSignal,
): Promise<Reconciled> {
  const node = context.graph.node(uid);
  if (node === undefined) return {};
  const { resource } = node;
  let { meta } = node;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const outcome = await settle(context, { resource, meta }, signal);
    if (outcome === 'gone') return {};
    if (outcome !== 'changed') return outcome;
    const before = context.graph.node(uid)?.meta;
    const current = await context.live.get(resource, meta, signal);
    if (current?.uid !== uid) return {};
    context.graph.learn(resource, before, current);
    meta = current;
  }
  throw errors.conflict(
    { group: resource.group, kind: resource.resource, name: meta.name ?? '' },
    'the object is being modified too often; it is looked at again later',
  );
}

type Outcome = Reconciled | Refusal;

function settle(context: CollectorContext, target: Target, signal: AbortSignal): Promise<Outcome> | Outcome {
  const { meta } = target;
  if (!hasDeletionTimestamp(meta)) return settleOwned(context, target, signal);
  if (isOrphaning(meta, context.names)) return orphan(context, target, signal);
  if (isWaiting(meta, context.names)) return release(context, target, signal);
  return {};
}

async function settleOwned(context: CollectorContext, target: Target, signal: AbortSignal): Promise<Outcome> {
  const permits = new Semaphore(PARALLEL_LOOKS);
  const found = await Promise.all(
    claimsOf(target.meta).map((claim) => permits.run(signal, () => stateOf(context, target, claim, signal))),
  );
  const states = found.map(({ state }) => state);
  const dependents = states.includes('waiting') ? dependentsIn(context, target) : noDependents;
  const decision = decide({ meta: target.meta, states, ...dependents }, context.names);
  const outcome = await carryOut(context, target, decision, signal);
  const again = found.some(({ isUnseen }) => isUnseen) || decision.kind === 'later';
  return outcome === 'done' ? (again ? { requeueAfterMs: LOOK_AGAIN_MS } : {}) : outcome;
}

interface FoundState {
  readonly state: OwnerState;
  /** It is there, or may be, and no informer tells what becomes of it. */
  readonly isUnseen: boolean;
}

/** An owner that informers show as it should be needs no look; everything else is looked for before it counts. */
async function stateOf(
  context: CollectorContext,
  target: Target,
  claim: Claim,
  signal: AbortSignal,
): Promise<FoundState> {
  const { graph, lookup, names } = context;
  const owner = graph.ownerOf(claim);
  if (owner !== undefined && !isWaiting(owner.meta, names)) return { state: 'solid', isUnseen: false };
  const found = await lookup.look(claim, signal);
  if (found === 'outOfReach' || graph.otherOf(claim) !== undefined) reportNamespace(context, target, claim);
  if (found === 'outOfReach') return { state: 'unknown', isUnseen: true };
  if (found === 'another') {
    reportUid(context, target, claim);
    return { state: 'absent', isUnseen: false };
  }
  return { state: found, isUnseen: owner === undefined && found !== 'absent' };
}

/** People are told of owners that the reference cannot mean: of another namespace, or of any. */
function reportNamespace(context: CollectorContext, target: Target, claim: Claim): void {
  const other = context.graph.otherOf(claim)?.meta;
  if (other !== undefined && (other.namespace ?? '') === claim.namespace) return;
  const place =
    claim.namespace === '' ? 'outside of namespaces' : `in namespace ${JSON.stringify(claim.namespace)}`;
  report(context, target, claim, {
    reason: 'OwnerRefInvalidNamespace',
    problem: `does not exist ${place}: an owner has no namespace or that of its dependent`,
  });
}

/** They are told of a name that another object has: who copies a reference to a new cluster, say, keeps the old uid. */
const reportUid = (context: CollectorContext, target: Target, claim: Claim): void =>
  report(context, target, claim, {
    reason: 'OwnerRefInvalidUID',
    problem: 'does not exist: the object of that name has another uid',
  });

interface Mistake {
  readonly reason: string;
  readonly problem: string;
}

function report(
  { events, reported }: CollectorContext,
  { resource, meta }: Target,
  claim: Claim,
  { reason, problem }: Mistake,
): void {
  const mistake = `${meta.uid} ${claim.key}`;
  if (reported.has(mistake)) return;
  reported.add(mistake);
  const { apiVersion, kind, namespace, name, uid } = claim;
  events.record(
    { apiVersion: formatApiVersion(resource), kind: resource.kind, metadata: meta },
    {
      type: 'Warning',
      reason,
      message: `ownerRef [${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}] ${problem}`,
    },
  );
}

/** Dependents matter only where an owner waits. */
const noDependents = { hasDependents: false, hasWaitingDependent: false };

function dependentsIn({ graph, names }: CollectorContext, target: Target) {
  let hasDependents = false;
  for (const dependent of graph.dependentsOf(seen(target))) {
    hasDependents = true;
    if (isWaiting(dependent.meta, names)) return { hasDependents, hasWaitingDependent: true };
  }
  return { hasDependents, hasWaitingDependent: false };
}

const seen = ({ resource, meta }: Target): Seen => ({ kind: resource.kind, meta });

async function carryOut(
  context: CollectorContext,
  target: Target,
  decision: Decision,
  signal: AbortSignal,
): Promise<'done' | Refusal> {
  const { live } = context;
  switch (decision.kind) {
    case 'nothing':
    case 'later':
      return 'done';
    case 'setOwners':
      return change(context, target, { ownerReferences: decision.owners }, signal).then(doneUnlessRefused);
    case 'delete': {
      const { unblocked, policy } = decision;
      const state =
        unblocked === undefined
          ? target.meta
          : await change(context, target, { ownerReferences: unblocked }, signal);
      if (typeof state === 'string') return state;
      const outcome = await live.delete({ resource: target.resource, meta: state }, policy, signal);
      return outcome === 'deleted' ? 'done' : outcome;
    }
  }
}

const doneUnlessRefused = (answer: ObjectMeta | Refusal): 'done' | Refusal =>
  typeof answer === 'string' ? answer : 'done';

async function change(
  { live, graph }: CollectorContext,
  target: Target,
  to: Parameters<LiveObjects['change']>[1],
  signal: AbortSignal,
): Promise<ObjectMeta | Refusal> {
  const answer = await live.change(target, to, signal);
  if (typeof answer !== 'string') graph.learn(target.resource, target.meta, answer);
  return answer;
}

/** Dependents lose the reference to an owner first, then the owner loses its finalizer. */
async function orphan(context: CollectorContext, target: Target, signal: AbortSignal): Promise<Outcome> {
  if (!context.isComplete()) return { requeueAfterMs: COMPLETE_AGAIN_MS };
  await letDependentsGo(context, target, signal);
  return withoutFinalizer(context, target, context.names.finalizers.orphan, signal);
}

/**
 * An owner goes when no dependent that it waits for is left; it is examined again with each that goes. Owners that wait
 * for each other would wait for ever: one that is in such a circle holds up nobody any more.
 */
function release(context: CollectorContext, target: Target, signal: AbortSignal): Promise<Outcome> | Outcome {
  const { graph, names } = context;
  const owner = seen(target);
  for (const _ of graph.blockersOf(owner)) {
    return graph.isInCircle(owner) ? unblock(context, target, signal) : {};
  }
  if (!context.isComplete()) return { requeueAfterMs: COMPLETE_AGAIN_MS };
  return withoutFinalizer(context, target, names.finalizers.foregroundDeletion, signal);
}

async function unblock(context: CollectorContext, target: Target, signal: AbortSignal): Promise<Outcome> {
  const owners = target.meta.ownerReferences ?? [];
  if (!owners.some(({ blockOwnerDeletion }) => blockOwnerDeletion === true)) return {};
  const ownerReferences = owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
  const answer = await change(context, target, { ownerReferences }, signal);
  return typeof answer === 'string' ? answer : {};
}

async function withoutFinalizer(
  context: CollectorContext,
  target: Target,
  finalizer: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const finalizers = (target.meta.finalizers ?? []).filter((name) => name !== finalizer);
  const answer = await change(context, target, { finalizers }, signal);
  return typeof answer === 'string' ? answer : {};
}
