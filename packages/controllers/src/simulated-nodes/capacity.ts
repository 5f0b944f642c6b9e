import type { kinds } from '@orch/client';
import { parseQuantity, quantityNumber } from '@orch/machinery/quantity';

type Pod = kinds.core.Pod;
type Node = kinds.core.Node;

/** Amounts by resource: `cpu`, `memory`, `pods` and extended resources. */
export type Amounts = ReadonlyMap<string, number>;

const amountOf = (text: unknown): number => quantityNumber(parseQuantity(String(text)));

/** What a pod requests: the sum of its containers, or the request of an init container if that is more. */
export function requestsOf({ spec }: Pod): Amounts {
  const sums = new Map([['pods', 1]]);
  const requests = (container: kinds.core.Container) =>
    Object.entries(container.resources?.requests ?? {}).map(
      ([name, text]) => [name, amountOf(text)] as const,
    );
  for (const container of spec?.containers ?? [])
    for (const [name, amount] of requests(container)) sums.set(name, (sums.get(name) ?? 0) + amount);
  for (const container of spec?.initContainers ?? [])
    for (const [name, amount] of requests(container)) sums.set(name, Math.max(sums.get(name) ?? 0, amount));
  return sums;
}

/** The resources that a node does not have enough of for one more pod. A resource that the node does not state has no limit. */
export function lackingFor(pod: Pod, node: Node, others: readonly Pod[]): readonly string[] {
  const allocatable = Object.entries(node.status?.allocatable ?? node.status?.capacity ?? {});
  const wanted = requestsOf(pod);
  const used = others.map(requestsOf);
  return allocatable.flatMap(([name, text]) => {
    const more = wanted.get(name) ?? 0;
    const taken = used.reduce((sum, each) => sum + (each.get(name) ?? 0), 0);
    return more > 0 && taken + more > amountOf(text) ? [name] : [];
  });
}
