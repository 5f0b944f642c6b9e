import type { ObjectSource } from '@orch/auth';
import type {
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  ResourceRequirements,
} from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import type { Quantity } from '@orch/machinery/quantity';
import { type Amounts, addTo, raiseTo, readAmounts } from '@orch/quota';
import { NamespacedIndex } from '../shared/namespaced-index.ts';
import { podOf } from '../shared/pods.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal, ResourceTarget } from '../types.ts';
import { boundProblems, type Requirements, requestProblems } from './bounds.ts';
import { setContainerDefaults } from './container-defaults.ts';

export interface LimitRangerParts {
  readonly source: ObjectSource;
  readonly names: Names;
}

/** The resources of containers change by a resize only; claims may grow. */
function handles({ group, resource, subresource, operation }: ResourceTarget): boolean {
  if (group !== '') return false;
  if (resource === 'pods' && subresource === 'resize') return operation === 'UPDATE';
  if (subresource !== '') return false;
  return (
    (resource === 'pods' && operation === 'CREATE') ||
    (resource === 'persistentvolumeclaims' && (operation === 'CREATE' || operation === 'UPDATE'))
  );
}

/**
 * `LimitRanger`: the limit ranges of a namespace give requests and limits to containers without them, and bound those of
 * containers, pods and volume claims.
 */
export function limitRanger({ source, names }: LimitRangerParts): AdmissionPlugin {
  const ranges = new NamespacedIndex(source, 'limitranges');
  return {
    name: 'LimitRanger',
    handles,
    mutate({ resource, subresource, namespace, object }) {
      const pod = podOf(object);
      if (resource === 'pods' && subresource === '' && pod !== undefined)
        setContainerDefaults(pod, ranges.in(namespace), names);
      return undefined;
    },
    validate: (write) => refusalOf(write, ranges.in(write.namespace)),
  };
}

function refusalOf(
  { resource, object }: AdmissionAttributes,
  ranges: readonly LimitRange[],
): Refusal | undefined {
  const items = ranges.flatMap(({ spec }) => spec?.limits ?? []);
  if (items.length === 0 || object === undefined) return undefined;
  const problems = resource === 'pods' ? podProblems(items, object) : claimProblems(items, object);
  return problems.length <= 1 ? problems[0] : `[${problems.join(', ')}]`;
}

function podProblems(items: readonly LimitRangeItem[], { spec = {} }: Pod): readonly string[] {
  const bounded = boundedByType(spec);
  return items.flatMap((item) =>
    (bounded[item.type ?? ''] ?? []).flatMap((requirements) => boundProblems(item, requirements)),
  );
}

function claimProblems(items: readonly LimitRangeItem[], { spec }: PersistentVolumeClaim): readonly string[] {
  const requests = readAmounts(spec?.resources?.requests);
  return items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item) => requestProblems(item, requests));
}

type Bounded = Readonly<Record<string, readonly Requirements[]>>;

function boundedByType(spec: PodSpec): Bounded {
  const containers = (spec.containers ?? []).map(({ resources }) => requirementsOf(resources));
  const initial = (spec.initContainers ?? []).map(({ resources }) => requirementsOf(resources));
  return { Container: [...containers, ...initial], Pod: [requirementsOfPod(containers, initial)] };
}

const requirementsOf = ({ requests, limits }: ResourceRequirements = {}): Requirements => ({
  requests: readAmounts(requests),
  limits: readAmounts(limits),
});

/** The sum of all containers, or the largest init container. */
const requirementsOfPod = (
  containers: readonly Requirements[],
  initial: readonly Requirements[],
): Requirements => {
  const total = (list: keyof Requirements): Amounts => {
    const sums = new Map<string, Quantity>();
    for (const container of containers) addTo(sums, container[list]);
    for (const resource of sums.keys())
      if (containers.some((container) => !container[list].has(resource))) sums.delete(resource);
    for (const container of initial) raiseTo(sums, container[list]);
    return sums;
  };
  return { requests: total('requests'), limits: total('limits') };
};
