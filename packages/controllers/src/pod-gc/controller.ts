import {
  type Client,
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  periodicSource,
  type Resource,
} from '@orch/client';
import { type ApiObject, Semaphore } from '@orch/machinery';
import { unless } from '../api/failures.ts';
import {
  decidePods,
  type NodeState,
  nodeOf,
  nodeState,
  type PodDecision,
  type PodRules,
  type Removal,
} from './decide.ts';

const pods: Resource = { group: '', version: 'v1', resource: 'pods', kind: 'Pod', namespaced: true };
const nodes: Resource = { group: '', version: 'v1', resource: 'nodes', kind: 'Node', namespaced: false };

/** Requests under way at the same time. */
const AT_ONCE = 16;
const NODES_A_PAGE = 500;
/** There is one thing to do: to go through all pods. */
const ALL = 'pods';

export interface PodGcOptions extends PodRules {
  readonly intervalMs: number;
  /** Whether pods are ended that are being deleted on a node which is out of service. */
  readonly endsOutOfService: boolean;
}

/** Deletes pods that nobody needs any more, from time to time. Asks for the nodes only while pods are on some. */
export function podGcController(
  { client, informers, env }: ControllerContext,
  options: PodGcOptions,
): Controller {
  const informer = informers.informer(pods);
  let missingSince: ReadonlyMap<string, number> = new Map();
  return controller({
    name: 'podgc',
    sources: [
      // Waited for, but a change alone is no reason to go through all pods.
      informerSource(informer, { filter: () => false }),
      periodicSource(env, options.intervalMs, () => [ALL]),
    ],
    async reconcile(_key, signal) {
      const all = [...informer.store.values()];
      const isOnNode = all.some((pod) => nodeOf(pod) !== '');
      const known = isOnNode ? await nodeStates(client, options, signal) : undefined;
      const decision = decidePods(
        { pods: all, nodes: known, missingSince, nowMs: env.clock.monotonic() },
        options,
      );
      missingSince = decision.missingSince;
      const deleted = await carryOut(client, decision, signal);
      if (deleted.size > 0) {
        env.log.info('deleted pods that nobody needs', {
          controller: 'podgc',
          ...Object.fromEntries(deleted),
        });
      }
    },
  });
}

async function nodeStates(
  client: Client,
  { endsOutOfService }: PodGcOptions,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, NodeState>> {
  const states = new Map<string, NodeState>();
  // Not the very newest state: a node that seems to be missing is looked for before anything is deleted.
  const api = endsOutOfService ? client.resource(nodes) : client.metadata(nodes);
  const pages = api.pages({ limit: NODES_A_PAGE, resourceVersion: '0' }, signal);
  for await (const { items } of pages) {
    for (const node of items) {
      const state = endsOutOfService ? nodeState(node, client.names.taints.outOfService) : 'inService';
      states.set(node.metadata.name ?? '', state);
    }
  }
  return states;
}

/** Tries everything, then fails with the first failure. Answers how many pods were deleted for which reason. */
async function carryOut(
  client: Client,
  { remove: removals, orphans }: PodDecision,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const places = new Semaphore(AT_ONCE);
  const deleted = new Map<string, number>();
  const removeOne = async (removal: Removal): Promise<void> => {
    if (!(await places.run(signal, () => remove(client, removal, signal)))) return;
    deleted.set(removal.why, (deleted.get(removal.why) ?? 0) + 1);
  };
  const removeOrphans = async (node: string, left: readonly ApiObject[]): Promise<void> => {
    if (await places.run(signal, () => exists(client, node, signal))) return;
    await allOf(left.map((pod) => removeOne({ pod, why: 'orphaned' })));
  };
  await allOf([...removals.map(removeOne), ...[...orphans].map(([node, left]) => removeOrphans(node, left))]);
  return deleted;
}

async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

const exists = async (client: Client, node: string, signal: AbortSignal): Promise<boolean> =>
  (await unless(['NotFound'], () => client.resource(nodes).get(node, {}, signal))) !== undefined;

/** False when it is gone, or another one by now: the next round sees which. */
async function remove(client: Client, { pod, why }: Removal, signal: AbortSignal): Promise<boolean> {
  const { name = '', namespace, uid, resourceVersion } = pod.metadata;
  // A pod that has no node yet may get one at this moment, and would run on: it must be as it was seen.
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(why === 'unscheduled' && resourceVersion !== undefined && { resourceVersion }),
  };
  const api = client.resource(pods, namespace);
  const gone = await unless(['NotFound', 'Conflict'], () =>
    api.delete(name, { gracePeriodSeconds: 0, preconditions }, signal),
  );
  return gone !== undefined;
}
