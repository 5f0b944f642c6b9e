import {
  type Client,
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  type kinds,
  periodicSource,
  type ResourceClient,
  typed,
} from '@orch/client';
import { Semaphore } from '@orch/machinery/concurrency';
import { ignoreReasons } from '../api/writes.ts';
import {
  decidePods,
  type NodeState,
  nodeOf,
  nodeState,
  type PodDecision,
  type PodRules,
  type Removal,
} from './decide.ts';

/** Concurrent requests. */
const PARALLEL = 16;
const PAGE_NODES = 500;
/** The only key: every reconciliation examines all pods. */
const ALL = 'pods';

export interface PodGcOptions extends PodRules {
  readonly intervalMs: number;
  /** Whether pods that are being deleted on a node out of service are removed. */
  readonly removesOutOfService: boolean;
}

/** Deletes pods that are no longer needed, at intervals. Lists the nodes only when pods are assigned to any. */
export function podGcController(
  { client, informers, env }: ControllerContext,
  options: PodGcOptions,
): Controller {
  const informer = informers.informer(typed(client).core.v1.pods.resource);
  const api = new PodGcApi(client);
  let missingSince: ReadonlyMap<string, number> = new Map();
  return controller({
    name: 'podgc',
    sources: [
      // Delays the start until the pods are listed; changes add no key.
      informerSource(informer, { filter: () => false }),
      periodicSource(env, options.intervalMs, () => [ALL]),
    ],
    async reconcile(_key, signal) {
      const pods = [...informer.store.values()];
      const isAnyAssigned = pods.some((pod) => nodeOf(pod) !== '');
      const nodes = isAnyAssigned ? await api.nodeStates(options, signal) : undefined;
      const decision = decidePods({ pods, nodes, missingSince, nowMs: env.clock.monotonic() }, options);
      missingSince = decision.missingSince;
      const deleted = await api.deletePods(decision, signal);
      if (deleted.size === 0) return;
      env.log.info('deleted pods', { controller: 'podgc', ...Object.fromEntries(deleted) });
    },
  });
}

class PodGcApi {
  readonly #client: Client;
  readonly #pods: ResourceClient<kinds.core.Pod>;
  readonly #nodes: ResourceClient<kinds.core.Node>;

  constructor(client: Client) {
    const { pods, nodes } = typed(client).core.v1;
    this.#client = client;
    this.#pods = pods;
    this.#nodes = nodes;
  }

  async nodeStates(
    { removesOutOfService }: PodGcOptions,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, NodeState>> {
    const states = new Map<string, NodeState>();
    const { outOfService } = this.#client.names.taints;
    const api = removesOutOfService ? this.#nodes : this.#client.metadata(this.#nodes.resource);
    // A cached list is sufficient: a missing node is read from the server again before its pods are deleted.
    const pages = api.pages({ limit: PAGE_NODES, resourceVersion: '0' }, signal);
    for await (const { items } of pages) {
      for (const node of items) {
        const state = removesOutOfService ? nodeState(node, outOfService) : 'inService';
        states.set(node.metadata.name ?? '', state);
      }
    }
    return states;
  }

  /** Attempts every deletion, then rejects with the first failure. Resolves with the number of deletions per reason. */
  async deletePods(
    { remove, orphans }: PodDecision,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Removal['reason'], number>> {
    const permits = new Semaphore(PARALLEL);
    const deleted = new Map<Removal['reason'], number>();
    const removeOne = async (removal: Removal): Promise<void> => {
      if (!(await permits.run(signal, () => this.#delete(removal, signal)))) return;
      deleted.set(removal.reason, (deleted.get(removal.reason) ?? 0) + 1);
    };
    const removeOrphans = async (node: string, pods: readonly kinds.core.Pod[]): Promise<void> => {
      if (await permits.run(signal, () => this.#isNode(node, signal))) return;
      await allOf(pods.map((pod) => removeOne({ pod, reason: 'orphaned' })));
    };
    await allOf([...remove.map(removeOne), ...[...orphans].map(([node, pods]) => removeOrphans(node, pods))]);
    return deleted;
  }

  async #isNode(name: string, signal: AbortSignal): Promise<boolean> {
    return (await ignoreReasons(['NotFound'], () => this.#nodes.get(name, {}, signal))) !== undefined;
  }

  /** False when the pod is gone, or was replaced: the next reconciliation examines the new one. */
  async #delete({ pod, reason }: Removal, signal: AbortSignal): Promise<boolean> {
    const { name = '', namespace = '', uid, resourceVersion } = pod.metadata;
    // A pod without a node may be scheduled concurrently, and must not be deleted then: it must be unchanged.
    const preconditions = {
      ...(uid !== undefined && { uid }),
      ...(reason === 'unscheduled' && resourceVersion !== undefined && { resourceVersion }),
    };
    const deleted = await ignoreReasons(['NotFound', 'Conflict'], () =>
      this.#pods.in(namespace).delete(name, { gracePeriodSeconds: 0, preconditions }, signal),
    );
    return deleted !== undefined;
  }
}

async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
