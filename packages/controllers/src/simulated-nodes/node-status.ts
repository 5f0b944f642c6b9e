import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  type kinds,
  typed,
} from '@orch/client';
import { formatTime } from '@orch/machinery/time';
import { ignoreReasons } from '../api/writes.ts';
import { nodeStatus } from './nodes.ts';

type Node = kinds.core.Node;

const readiness = ({ status }: Node): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/**
 * Nodes that report no state become ready, and ready nodes lose the taint with which a server marks each new node. A node that a test
 * has made unready stays so.
 */
export function nodeStatusController({ client, informers, env }: ControllerContext): Controller {
  const { nodes } = typed(client).core.v1;
  const informer = informers.informer(nodes.resource);
  const { notReady } = client.names.taints;
  const isMarked = ({ spec }: Node): boolean =>
    (spec?.taints ?? []).some(({ key, effect }) => key === notReady && effect === 'NoSchedule');
  return controller({
    name: 'simulated-node-status',
    sources: [informerSource(informer, { filter: ({ type }) => type !== 'deleted' })],
    async reconcile(name, signal) {
      const node = informer.store.get(name);
      if (node === undefined) return;
      const { uid, resourceVersion } = node.metadata;
      if (readiness(node) === undefined) {
        const patch = {
          metadata: { uid },
          status: { ...nodeStatus(name, formatTime(env.clock.now())), ...node.status },
        };
        const api = nodes.subresource<Node>('status');
        await ignoreReasons(['NotFound', 'Conflict'], () => api.patch.merge(name, patch, {}, signal));
        return;
      }
      if (readiness(node) !== 'True' || !isMarked(node)) return;
      const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== notReady);
      const patch = { metadata: { uid, resourceVersion }, spec: { taints } };
      await ignoreReasons(['NotFound'], () => nodes.patch.merge(name, patch, {}, signal));
    },
  });
}
