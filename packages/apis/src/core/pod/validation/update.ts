import type { Container, Pod, PodSpec, Toleration } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { checkRestrictedNodes, isGated, withoutNodes } from './gated.ts';

const mutable =
  'pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations` (only additions to existing tolerations) or `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Checks that the spec of a pod is unchanged, except for a few fields that may change in certain ways. */
export function validatePodUpdate(next: Pod, old: Pod): readonly FieldError[] {
  const spec = next.spec ?? {};
  const before = old.spec ?? {};
  for (const list of ['containers', 'initContainers'] as const) {
    if ((spec[list] ?? []).length === (before[list] ?? []).length) continue;
    return [fieldError.forbidden(`spec.${list}`, 'pod updates may not add or remove containers')];
  }
  const errors = [
    ...checkDeadline(spec, before),
    ...checkAddedTolerations(spec, before),
    ...checkRemovedGates(spec, before),
    ...(isGated(before) ? checkRestrictedNodes(spec, before) : []),
  ];
  const fixed = (one: PodSpec): PodSpec => {
    const rest = unchangeable(one, before);
    return isGated(before) ? withoutNodes(rest) : rest;
  };
  if (!jsonEquals(fixed(spec), fixed(before))) {
    errors.push(fieldError.forbidden('spec', mutable));
  }
  return errors;
}

/** The immutable part of the spec; a grace period may only become 1 where it was negative. */
function unchangeable(spec: PodSpec, before: PodSpec): PodSpec {
  const { activeDeadlineSeconds, tolerations, schedulingGates, ...others } = spec;
  const { terminationGracePeriodSeconds: grace, ...rest } = others;
  const { terminationGracePeriodSeconds: earlier } = before;
  const corrected = typeof earlier === 'number' && earlier < 0 && grace === 1;
  const period = corrected ? earlier : grace;
  return {
    ...rest,
    ...(period === undefined ? {} : { terminationGracePeriodSeconds: period }),
    containers: withoutImages(spec.containers),
    initContainers: withoutImages(spec.initContainers),
  };
}

const withoutImages = (containers: PodSpec['containers']): readonly Container[] =>
  (containers ?? []).map(({ image, ...rest }) => rest);

/** Checks that a deadline is only set or shortened, never removed or extended. */
function checkDeadline(spec: PodSpec, before: PodSpec): readonly FieldError[] {
  const path = 'spec.activeDeadlineSeconds';
  const { activeDeadlineSeconds: deadline } = spec;
  const { activeDeadlineSeconds: earlier } = before;
  if (earlier === undefined) return [];
  if (deadline === undefined) {
    return [fieldError.invalid(path, null, 'must not update from a positive integer to nil value')];
  }
  const later = typeof deadline === 'number' && typeof earlier === 'number' && deadline > earlier;
  return later ? [fieldError.invalid(path, deadline, 'must be less than or equal to previous value')] : [];
}

/** The taints that a toleration is for: equal for two that differ in their duration only. */
const taintsOf = ({ key = '', operator = '', value = '', effect = '' }: Toleration): string =>
  `${operator}\n${effect}\n${key}\n${value}`;

/** Checks that every toleration remains, at most with another duration. */
function checkAddedTolerations(spec: PodSpec, before: PodSpec): readonly FieldError[] {
  const tolerated = new Set((spec.tolerations ?? []).map(taintsOf));
  const gone = (before.tolerations ?? []).some((earlier) => !tolerated.has(taintsOf(earlier)));
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return gone ? [fieldError.forbidden('spec.tolerations', why)] : [];
}

/** Checks that scheduling gates are only removed: none may be added to an existing pod. */
function checkRemovedGates(spec: PodSpec, before: PodSpec): readonly FieldError[] {
  const known = new Set((before.schedulingGates ?? []).map((gate) => gate.name ?? ''));
  return (spec.schedulingGates ?? []).flatMap(({ name = '' }, i) =>
    known.has(name)
      ? []
      : [fieldError.forbidden(`spec.schedulingGates[${i}].name`, 'only deletion is allowed')],
  );
}
