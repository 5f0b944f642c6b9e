import type { kinds, ResourceClient } from '@orch/client';

type Pod = kinds.core.Pod;

const PAGE_PODS = 500;

/** Reports whether a pod of the namespace matches, by a list from the server, which has pods that no informer has delivered yet. */
export async function hasPod(
  pods: ResourceClient<Pod>,
  namespace: string,
  matches: (pod: Pod) => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const pages = pods.in(namespace).pages({ limit: PAGE_PODS }, signal);
  for await (const { items } of pages) if (items.some(matches)) return true;
  return false;
}
