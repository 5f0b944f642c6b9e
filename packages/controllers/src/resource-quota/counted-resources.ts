import type { DiscoveredResource, DiscoverySnapshot } from '@orch/client';
import type { Names } from '@orch/machinery';
import { type Evaluator, isUncounted, quotaEvaluator } from '@orch/quota';

/** A resource that quotas can count, and how. */
export interface CountedResource {
  readonly resource: DiscoveredResource;
  readonly evaluator: Evaluator;
}

/** What can be counted is made and deleted in namespaces, and can be watched. */
const needed = ['create', 'delete', 'list', 'watch'] as const;

export const countedResources = (snapshot: DiscoverySnapshot, names: Names): readonly CountedResource[] =>
  snapshot.preferred
    .filter(
      ({ group, resource, namespaced, verbs }) =>
        namespaced && !isUncounted(group, resource) && needed.every((verb) => verbs.includes(verb)),
    )
    .map((resource) => ({ resource, evaluator: quotaEvaluator(resource.group, resource.resource, names) }));

/** Those that count against one of these bounds. */
export const countingAny = (
  resources: readonly CountedResource[],
  bounds: readonly string[],
): readonly CountedResource[] =>
  resources.filter(({ evaluator }) => bounds.some((bound) => evaluator.counts(bound)));
