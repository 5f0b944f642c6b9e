import type { kinds } from '@orch/client';
import { selectsNode, untolerated } from '../pods/placement.ts';
import { lackingFor } from './capacity.ts';

type Pod = kinds.core.Pod;
type Node = kinds.core.Node;

export type Choice = { readonly node: string } | { readonly message: string };

/** A node for a pod: of those on which it can run, the one with the fewest pods. Otherwise the reasons against each node. */
export function chooseNode(
  pod: Pod,
  nodes: readonly Node[],
  podsOn: (node: string) => readonly Pod[],
): Choice {
  const reasons = new Map<string, number>();
  const possible: { readonly name: string; readonly pods: number }[] = [];
  for (const node of nodes) {
    const { name = '' } = node.metadata;
    const others = podsOn(name);
    const reason = reasonAgainst(pod, node, others);
    if (reason === undefined) possible.push({ name, pods: others.length });
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  possible.sort((a, b) => a.pods - b.pods || (a.name < b.name ? -1 : 1));
  const [best] = possible;
  if (best !== undefined) return { node: best.name };
  const details = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort();
  return {
    message: `0/${nodes.length} nodes are available${details.length > 0 ? `: ${details.join(', ')}` : ''}.`,
  };
}

function reasonAgainst(pod: Pod, node: Node, others: readonly Pod[]): string | undefined {
  const spec = pod.spec ?? { containers: [] };
  if (!selectsNode(spec, node)) return "node(s) didn't match Pod's node affinity/selector";
  if (node.spec?.unschedulable === true) return 'node(s) were unschedulable';
  const [taint] = untolerated(spec, node);
  if (taint !== undefined) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  const [lacking] = lackingFor(pod, node, others);
  return lacking === undefined ? undefined : lacking === 'pods' ? 'Too many pods' : `Insufficient ${lacking}`;
}
