import type { ApiObject, Names } from '@orch/machinery';
import { asObject, asObjects, asStrings, asText, type JsonObject } from '@orch/machinery/json';
import { type Quantity, quantitySign } from '@orch/machinery/quantity';
import { timeMs } from '@orch/machinery/time';
import { type Amounts, addTo, countAmount, raiseTo, readAmounts } from './amounts.ts';
import type { Evaluator, Measure, PodScopes } from './measure.ts';

/** Bounds for pods, besides huge pages and extended resources. */
const bounds: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

/** Resources whose requests and limits are both bounded. */
const shared: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

const one = countAmount(1);
const counted: Amounts = new Map([['count/pods', one]]);

/**
 * The usage of pods: the sum of the requests of containers that run together, or the request of an init container where
 * that is larger, plus the overhead of the pod. Pods that have ended, or should have ended long ago, count as objects
 * only.
 */
export function podEvaluator(names: Names): Evaluator {
  const { hugepagesPrefix, requestsPrefix, nativePrefix } = names.resourceNames;
  const isExtended = (name: string): boolean => name.includes('/') && !name.includes(nativePrefix);
  const isHuge = (name: string): boolean => name.startsWith(hugepagesPrefix);
  const unprefixed = (name: string): string | undefined =>
    name.startsWith(requestsPrefix) ? name.slice(requestsPrefix.length) : undefined;

  /** The bounds that count a request of a resource. */
  const boundsOf = (name: string): readonly string[] => {
    if (shared.has(name) || isHuge(name)) return [name, `${requestsPrefix}${name}`];
    return isExtended(name) ? [`${requestsPrefix}${name}`] : [];
  };

  const taken = (spec: JsonObject): Amounts => {
    const { requests, limits } = podResources(spec);
    const amounts = new Map<string, Quantity>([['pods', one]]);
    for (const [name, amount] of requests) for (const bound of boundsOf(name)) amounts.set(bound, amount);
    for (const [name, amount] of limits) {
      if (shared.has(name)) amounts.set(`${names.resourceNames.limitsPrefix}${name}`, amount);
    }
    return amounts;
  };

  return {
    group: '',
    resource: 'pods',
    counts(name) {
      const resource = unprefixed(name);
      return (
        bounds.has(name) ||
        isHuge(name) ||
        (resource !== undefined && (isHuge(resource) || isExtended(resource)))
      );
    },
    measure(pod): Measure {
      const spec = asObject(pod['spec']);
      return {
        always: counted,
        whileLive: taken(spec),
        liveUntilMs: liveUntilMs(pod),
        scopes: scopesOf(spec),
      };
    },
    missing: (pod, names) => missingAmounts(asObject(pod['spec']), names),
  };
}

/** Total requests and limits of a pod. */
function podResources(spec: JsonObject): { readonly requests: Amounts; readonly limits: Amounts } {
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  for (const { resources } of asObjects(spec['containers'])) {
    addTo(requests, readAmounts(asObject(resources)['requests']));
    addTo(limits, readAmounts(asObject(resources)['limits']));
  }
  for (const { resources } of asObjects(spec['initContainers'])) {
    raiseTo(requests, readAmounts(asObject(resources)['requests']));
    raiseTo(limits, readAmounts(asObject(resources)['limits']));
  }
  const overhead = readAmounts(spec['overhead']);
  addTo(requests, overhead);
  addTo(limits, overhead);
  return { requests, limits };
}

/** A pod whose node is lost never ends: after twice its grace period it no longer counts against the quota. */
function liveUntilMs(pod: ApiObject): number {
  const { phase } = asObject(pod['status']);
  if (phase === 'Succeeded' || phase === 'Failed') return Number.NEGATIVE_INFINITY;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (typeof deletionTimestamp !== 'string' || deletionGracePeriodSeconds === undefined) {
    return Number.POSITIVE_INFINITY;
  }
  const endMs = timeMs(deletionTimestamp);
  return endMs === undefined ? Number.POSITIVE_INFINITY : endMs + deletionGracePeriodSeconds * 1000;
}

const scopesOf = (spec: JsonObject): PodScopes => ({
  isTerminating: typeof spec['activeDeadlineSeconds'] === 'number' && spec['activeDeadlineSeconds'] >= 0,
  isBestEffort: isBestEffort(spec),
  priorityClass: asText(spec['priorityClassName']),
  hasCrossNamespaceAffinity: hasCrossNamespaceAffinity(asObject(spec['affinity'])),
});

const decisive: readonly string[] = ['cpu', 'memory'];

/** No container specifies the resources that determine the quality of service class. */
const isBestEffort = (spec: JsonObject): boolean =>
  [...asObjects(spec['containers']), ...asObjects(spec['initContainers'])].every(({ resources }) =>
    [asObject(resources)['requests'], asObject(resources)['limits']].every((list) => {
      const amounts = readAmounts(list);
      return decisive.every((name) => {
        const amount = amounts.get(name);
        return amount === undefined || quantitySign(amount) <= 0;
      });
    }),
  );

const hasCrossNamespaceAffinity = (affinity: JsonObject): boolean =>
  [asObject(affinity['podAffinity']), asObject(affinity['podAntiAffinity'])].some((terms) =>
    [
      ...asObjects(terms['requiredDuringSchedulingIgnoredDuringExecution']),
      ...asObjects(terms['preferredDuringSchedulingIgnoredDuringExecution']).map((term) =>
        asObject(term['podAffinityTerm']),
      ),
    ].some(
      (term) =>
        asStrings(term['namespaces']).length > 0 ||
        (term['namespaceSelector'] !== undefined && term['namespaceSelector'] !== null),
    ),
  );

/** Bounds that every container of a pod must specify, with the field that specifies them. */
const required: Readonly<Record<string, readonly [list: 'requests' | 'limits', resource: string]>> = {
  cpu: ['requests', 'cpu'],
  memory: ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

/** The fields that containers do not specify although a quota bounds them: `limits.cpu for: a,b`, in order of the bounds. */
function missingAmounts(spec: JsonObject, bounds: Iterable<string>): readonly string[] {
  const containers = [...asObjects(spec['containers']), ...asObjects(spec['initContainers'])];
  return [...bounds].sort().flatMap((bound) => {
    const place = Object.hasOwn(required, bound) ? required[bound] : undefined;
    if (place === undefined) return [];
    const [list, resource] = place;
    const without = containers.filter(
      ({ resources }) => !readAmounts(asObject(resources)[list]).has(resource),
    );
    const names = [...new Set(without.map(({ name }) => asText(name)))].sort();
    return names.length === 0 ? [] : [`${bound} for: ${names.join(',')}`];
  });
}
