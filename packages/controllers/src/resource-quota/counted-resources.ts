import type { DiscoveredResource, DiscoverySnapshot } from '@orch/client';
import type { Names } from '@orch/machinery';
import { type Evaluator, isUncounted, quotaEvaluator } from '@orch/quota';

/** A resource that quotas can count, with its evaluator. */
export interface CountedResource {
  readonly resource: DiscoveredResource;
  readonly evaluator: Evaluator;
}

/** Verbs of resources that can be counted. */
const requiredVerbs = ['create', 'delete', 'list', 'watch'] as const;

export const countedResources = (snapshot: DiscoverySnapshot, names: Names): readonly CountedResource[] =>
  snapshot.preferred
    .filter(
      ({ group, resource, namespaced, verbs }) =>
        namespaced && !isUncounted(group, resource) && requiredVerbs.every((verb) => verbs.includes(verb)),
    )
    .map((resource) => ({ resource, evaluator: quotaEvaluator(resource.group, resource.resource, names) }));

/** The resources that count against one of these bounds. */
export const countingAny = (
  resources: readonly CountedResource[],
  bounds: readonly string[],
): readonly CountedResource[] =>
  resources.filter(({ evaluator }) => bounds.some((bound) => evaluator.counts(bound)));
