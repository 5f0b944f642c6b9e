import type { Container, PodSpec } from '@orch/kinds/core';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantitySign,
} from '@orch/machinery/quantity';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/** Resources that determine the quality of service class. */
const decisive = ['cpu', 'memory'] as const;

type Sums = Map<string, Quantity>;

/** Adds the amounts of the decisive resources of a list, which may have many others. The number of those that it has. */
function addTo(sums: Sums, list: Readonly<Record<string, string>> = {}): number {
  let seen = 0;
  for (const name of decisive) {
    const text = Object.hasOwn(list, name) ? list[name] : undefined;
    if (text === undefined) continue;
    const amount = parseQuantity(text || '0');
    if (quantitySign(amount) <= 0) continue;
    seen += 1;
    const before = sums.get(name);
    sums.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
  return seen;
}

/** The parts of a pod whose resources count: the pod itself, if it has any, else its containers. */
function demandsOf(spec: PodSpec): readonly Pick<Container, 'resources'>[] {
  const { requests = {}, limits = {} } = spec.resources ?? {};
  if (Object.keys(requests).length + Object.keys(limits).length > 0) return [spec];
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
}

/**
 * Guaranteed when every container has limits for both resources and requests equal to them; BestEffort when no
 * container has requests or limits for either; Burstable otherwise.
 */
export function qosClassOf(spec: PodSpec): QosClass {
  const requests: Sums = new Map();
  const limits: Sums = new Map();
  let allLimited = true;
  for (const { resources = {} } of demandsOf(spec)) {
    addTo(requests, resources.requests);
    if (addTo(limits, resources.limits) < decisive.length) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const same = [...limits].every(([name, limit]) => {
    const request = requests.get(name);
    return request !== undefined && compareQuantities(request, limit) === 0;
  });
  return allLimited && same && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}
