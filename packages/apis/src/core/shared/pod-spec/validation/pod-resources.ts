import type { PodSpec, ResourceRequirements } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { compareQuantities, formatQuantity, parseQuantity, type Quantity } from '@orch/machinery/quantity';
import { isHugePages } from '../../validation/resource-names.ts';
import { checkContainerResources } from '../../validation/resources.ts';
import { containerSums } from '../container-sums.ts';
import { checkUsedClaims } from './resource-claims.ts';

/** Checks the resources of a whole pod, alone and beside those of its containers. */
export function checkPodResources(path: string, spec: PodSpec, names: Names): readonly FieldError[] {
  const { resources } = spec;
  if (resources === undefined) return [];
  const at = `${path}.resources`;
  if (spec.os?.name === 'windows') return [fieldError.forbidden(at, 'may not be set for a windows pod')];
  const claims =
    resources.claims === undefined
      ? []
      : [fieldError.forbidden(`${at}.claims`, 'claims may not be set for Resources at pod-level')];
  return [
    ...claims,
    ...checkContainerResources(at, resources, names, 'pod'),
    ...checkUsedClaims(`${at}.claims`, resources.claims ?? [], claimsOf(spec)),
    ...checkSums(at, resources, spec),
    ...checkLimits(at, resources, spec),
  ];
}

const claimsOf = ({ resourceClaims = [] }: PodSpec): ReadonlySet<string> =>
  new Set(resourceClaims.map(({ name = '' }) => name));

const quantityOf = (list: ResourceRequirements['limits'], name: string): Quantity | undefined =>
  list !== undefined && Object.hasOwn(list, name) ? parseQuantity(list[name] || '0') : undefined;

/** A pod has at least what its containers request together, and huge pages for all of them. */
function checkSums(path: string, resources: ResourceRequirements, spec: PodSpec): readonly FieldError[] {
  return (['requests', 'limits'] as const).flatMap((list) =>
    [...containerSums(spec, list)].flatMap(([name, sum]) => {
      const amount = quantityOf(resources[list], name);
      if (amount === undefined || (list === 'limits' && !isHugePages(name))) return [];
      if (compareQuantities(sum, amount) <= 0) return [];
      const why = `must be greater than or equal to aggregate container ${list} of ${formatQuantity(sum)}`;
      return [fieldError.invalid(`${path}.${list}[${name}]`, formatQuantity(amount), why)];
    }),
  );
}

/** No container has a limit above that of the pod. For compatibility, the error stands below the resources of the pod. */
const checkLimits = (path: string, resources: ResourceRequirements, spec: PodSpec): readonly FieldError[] =>
  (spec.containers ?? []).flatMap((container, i) =>
    Object.entries(container.resources?.limits ?? {}).flatMap(([name, text]) => {
      const limit = quantityOf(resources.limits, name);
      if (limit === undefined || compareQuantities(parseQuantity(text || '0'), limit) <= 0) return [];
      const why = `must be less than or equal to pod limits of ${formatQuantity(limit)}`;
      return [fieldError.invalid(`${path}.containers[${i}][${name}].limits`, text, why)];
    }),
  );
