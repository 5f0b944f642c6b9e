import { errors } from '@orch/machinery';
import { Semaphore } from '@orch/machinery/concurrency';
import type { LiveObjects, Target } from './live-objects.ts';
import type { GraphNode, OwnerGraph } from './owner-graph.ts';

interface Context {
  readonly graph: OwnerGraph;
  readonly live: LiveObjects;
}

/** Dependents of one owner that are orphaned concurrently. */
const PARALLEL = 16;
const MAX_ATTEMPTS = 8;

/**
 * Removes the reference to an owner from all its dependents, including those that are added meanwhile. Rejects when one of
 * them still has it; completed changes are kept.
 */
export async function orphanDependents(context: Context, owner: Target, signal: AbortSignal): Promise<void> {
  const uid = owner.meta.uid ?? '';
  const permits = new Semaphore(PARALLEL);
  /** By uid, the version that was orphaned: a dependent that adds the reference again is orphaned again. */
  const done = new Map<string, string | undefined>();
  const isRemaining = (node: GraphNode): boolean =>
    node.uid !== uid && !(done.has(node.uid) && done.get(node.uid) === node.meta.resourceVersion);
  for (;;) {
    const all = context.graph.dependentsOf({ kind: owner.resource.kind, meta: owner.meta });
    const dependents = [...all].filter(isRemaining);
    if (dependents.length === 0) return;
    await forAll(dependents, (dependent) =>
      permits.run(signal, async () => {
        await removeReference(context, { dependent, owner: uid }, signal);
        done.set(dependent.uid, dependent.meta.resourceVersion);
      }),
    );
  }
}

/** Waits for all, then rejects with the first failure. */
async function forAll<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(items.map(work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function removeReference(
  { live, graph }: Context,
  { dependent, owner }: { readonly dependent: GraphNode; readonly owner: string },
  signal: AbortSignal,
): Promise<void> {
  const { resource, uid } = dependent;
  let { meta } = dependent;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const owners = meta.ownerReferences ?? [];
    const ownerReferences = owners.filter((reference) => reference.uid !== owner);
    if (ownerReferences.length === owners.length) return;
    const result = await live.change({ resource, meta }, { ownerReferences }, signal);
    if (result === 'gone') return;
    if (result !== 'changed') {
      graph.applyResponse(resource, meta, result);
      return;
    }
    const current = await live.get(resource, meta, signal);
    if (current?.uid !== uid) return;
    meta = current;
  }
  throw errors.conflict(
    { group: resource.group, kind: resource.resource, name: meta.name ?? '' },
    'the object is being modified too often; it keeps the reference to its owner for now',
  );
}
