import { errors, Semaphore } from '@orch/machinery';
import type { LiveObjects, Target } from './live-objects.ts';
import type { GraphNode, OwnerGraph } from './owner-graph.ts';

interface Context {
  readonly graph: OwnerGraph;
  readonly live: LiveObjects;
}

/** Dependents of one owner that lose their reference at the same time. */
const PARALLEL = 16;
const MAX_ATTEMPTS = 8;

/**
 * Takes the reference to an owner away from all its dependents, also from those that come meanwhile. Rejects when one
 * of them still has it; what was done stays done.
 */
export async function letDependentsGo(context: Context, owner: Target, signal: AbortSignal): Promise<void> {
  const uid = owner.meta.uid ?? '';
  const permits = new Semaphore(PARALLEL);
  /** By uid, the state in which a dependent was let go: one that takes the reference up again is let go again. */
  const done = new Map<string, string | undefined>();
  const isLeft = (node: GraphNode): boolean =>
    node.uid !== uid && !(done.has(node.uid) && done.get(node.uid) === node.meta.resourceVersion);
  for (;;) {
    const all = context.graph.dependentsOf({ kind: owner.resource.kind, meta: owner.meta });
    const dependents = [...all].filter(isLeft);
    if (dependents.length === 0) return;
    await forAll(dependents, (dependent) =>
      permits.run(signal, async () => {
        await letGo(context, dependent, uid, signal);
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

async function letGo(
  { live, graph }: Context,
  dependent: GraphNode,
  owner: string,
  signal: AbortSignal,
): Promise<void> {
  const { resource, uid } = dependent;
  let { meta } = dependent;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const owners = meta.ownerReferences ?? [];
    const ownerReferences = owners.filter((reference) => reference.uid !== owner);
    if (ownerReferences.length === owners.length) return;
    const answer = await live.change({ resource, meta }, { ownerReferences }, signal);
    if (answer === 'gone') return;
    if (answer !== 'changed') {
      graph.learn(resource, meta, answer);
      return;
    }
    const current = await live.get(resource, meta, signal);
    if (current?.uid !== uid) return;
    meta = current;
  }
  throw errors.conflict(
    { group: resource.group, kind: resource.resource, name: meta.name ?? '' },
    'the object is being modified too often; its owner keeps it for now',
  );
}
