import type { Container, Pod, PodSpec, ResourceRequirements } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { compareQuantities, parseQuantity } from '@orch/machinery/quantity';
import type { SubresourceRules } from '../../resource-type.ts';
import { keepStatus, restoreMetadata } from '../../status-strategy.ts';
import { qosClassOf } from './qos-class.ts';

/** What a release permits to a resize. */
export interface ResizeRelease {
  /** Init containers that end, and resources of the whole pod. */
  readonly resizesAll: boolean;
  /** A memory limit may become smaller while the container runs. */
  readonly shrinksMemory: boolean;
}

const resizable = ['cpu', 'memory'] as const;
const lists = ['containers', 'initContainers'] as const;

/** Checks that the containers are the same by number, order and name. */
function checkOrder(next: PodSpec, old: PodSpec): FieldError[] {
  return lists.flatMap((list) => {
    const [after, before] = [next[list] ?? [], old[list] ?? []];
    if (after.length !== before.length)
      return [fieldError.forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
    const why = `${list} may not be renamed or reordered on resize`;
    return after.flatMap(({ name }, i) =>
      name === before[i]?.name ? [] : [fieldError.forbidden(`spec.${list}[${i}].name`, why)],
    );
  });
}

/** The stored containers with the resources of the client. */
const resized = (
  stored: PodSpec['containers'],
  sent: PodSpec['containers'],
): readonly Container[] | undefined =>
  stored?.map((container, i) => {
    const { resources: _resources, resizePolicy: _policy, ...rest } = container;
    const { resources, resizePolicy } = sent?.[i] ?? {};
    return {
      ...rest,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });

/** Restores everything but resources, unless containers were added, removed or renamed, which validation refuses. */
function prepareResize(next: Draft<Pod>, old: Pod, { resizesAll }: ResizeRelease): void {
  restoreMetadata(next, old);
  const sent: PodSpec = next.spec ?? {};
  const stored: PodSpec = old.spec ?? {};
  if (checkOrder(sent, stored).length > 0) return;
  const { containers, initContainers, resources: storedResources, ...rest } = stored;
  const resources = resizesAll ? sent.resources : storedResources;
  const parts = {
    containers: resized(containers, sent.containers),
    initContainers: resized(initContainers, sent.initContainers),
    resources,
  };
  const present = Object.entries(parts).filter(([, value]) => value !== undefined);
  next.spec = { ...rest, ...Object.fromEntries(present) };
}

/** Requirements without the amounts that a resize may change. */
function fixedPart(resources: ResourceRequirements = {}): object {
  const fixed = (list: Readonly<Record<string, string>> | undefined): object =>
    Object.fromEntries(Object.entries(list ?? {}).filter(([name]) => !resizable.some((one) => one === name)));
  const { requests, limits, ...rest } = resources;
  return { ...rest, requests: fixed(requests), limits: fixed(limits) };
}

const hasSameFixedParts = (next: Container, old: Container): boolean =>
  jsonEquals(
    { ...next, resources: fixedPart(next.resources) },
    { ...old, resources: fixedPart(old.resources) },
  );

/** Checks that no request and no limit is removed. */
function checkKept(
  path: string,
  next: ResourceRequirements = {},
  old: ResourceRequirements = {},
): FieldError[] {
  return (['requests', 'limits'] as const)
    .filter((list) => Object.keys(old[list] ?? {}).some((name) => !Object.hasOwn(next[list] ?? {}, name)))
    .map((list) => fieldError.forbidden(`${path}.${list}`, `resource ${list} cannot be removed`));
}

const restartsFor = ({ resizePolicy = [] }: Container, resource: string): boolean =>
  resizePolicy.some(
    ({ resourceName, restartPolicy }) => resourceName === resource && restartPolicy === 'RestartContainer',
  );

function checkMemory(path: string, next: Container, old: Container): FieldError[] {
  const [after, before] = [next.resources?.limits?.['memory'], old.resources?.limits?.['memory']];
  if (after === undefined || before === undefined || restartsFor(next, 'memory')) return [];
  if (compareQuantities(parseQuantity(after), parseQuantity(before)) >= 0) return [];
  const why = 'memory limits cannot be decreased unless resizePolicy is RestartContainer';
  return [fieldError.forbidden(`${path}.resources.limits`, why)];
}

/** An init container with this policy runs beside the containers of the pod. */
const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

function checkInitContainer(path: string, next: Container, old: Container, all: boolean): FieldError[] {
  if (jsonEquals(next, old)) return [];
  if (!all && !isSidecar(old))
    return [fieldError.forbidden('spec', 'resources for non-sidecar init containers are immutable')];
  if (!hasSameFixedParts(next, old))
    return [
      fieldError.forbidden(path, 'only cpu and memory resources for init or sidecar containers are mutable'),
    ];
  const restarts = (next.resizePolicy ?? []).some(
    ({ restartPolicy }) => restartPolicy === 'RestartContainer',
  );
  return !isSidecar(old) && restarts
    ? [
        fieldError.forbidden(
          path,
          'non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
        ),
      ]
    : [];
}

/** A node that reports no resources of its running containers cannot change them. */
function isOnNodeWithoutSupport({ status }: Pod): boolean {
  const running = (status?.containerStatuses ?? []).find(({ state }) => state?.running !== undefined);
  return running !== undefined && running.resources === undefined;
}

const hasPodLevel = ({ spec }: Pod): boolean =>
  Object.keys(spec?.resources?.requests ?? {}).length + Object.keys(spec?.resources?.limits ?? {}).length > 0;

function checkPodLevel(next: Pod, old: Pod): FieldError[] {
  const path = 'spec.resources';
  if (old.spec?.resources !== undefined && next.spec?.resources === undefined)
    return [fieldError.forbidden(path, 'pod-level resources cannot be removed')];
  const errors = checkKept(path, next.spec?.resources, old.spec?.resources);
  if (!jsonEquals(fixedPart(next.spec?.resources), fixedPart(old.spec?.resources)))
    errors.push(fieldError.forbidden(path, 'only cpu and memory resources are mutable'));
  return errors;
}

/** Checks the resources of containers that are the same by number, order and name. */
function checkContainers(next: PodSpec, old: PodSpec, release: ResizeRelease): FieldError[] {
  const errors: FieldError[] = [];
  for (const list of lists) {
    const before = old[list] ?? [];
    for (const [i, container] of (next[list] ?? []).entries()) {
      const stored = before[i] ?? {};
      const path = `spec.${list}[${i}]`;
      if (list === 'initContainers' && !release.resizesAll && !isSidecar(stored)) continue;
      errors.push(...checkKept(`${path}.resources`, container.resources, stored.resources));
      if (!release.shrinksMemory) errors.push(...checkMemory(path, container, stored));
    }
  }
  if (
    (next.containers ?? []).some((container, i) => !hasSameFixedParts(container, old.containers?.[i] ?? {}))
  )
    errors.push(fieldError.forbidden('spec', 'only cpu and memory resources are mutable'));
  const init = (next.initContainers ?? []).flatMap((container, i) =>
    checkInitContainer(
      `spec.initContainers[${i}]`,
      container,
      old.initContainers?.[i] ?? {},
      release.resizesAll,
    ),
  );
  return [...errors, ...init];
}

function validateResize(next: Pod, old: Pod, release: ResizeRelease, mirror: string): readonly FieldError[] {
  if (old.metadata.annotations?.[mirror] !== undefined)
    return [fieldError.forbidden('', 'static pods cannot be resized')];
  if (old.spec?.os?.name === 'windows') return [fieldError.forbidden('', 'windows pods cannot be resized')];
  const [spec, before] = [next.spec ?? {}, old.spec ?? {}];
  const errors: FieldError[] = [];
  const { qosClass = qosClassOf(before) } = old.status ?? {};
  if (qosClassOf(spec) !== qosClass)
    errors.push(fieldError.invalid('spec', qosClass, 'Pod QOS Class may not change as a result of resizing'));
  if (isOnNodeWithoutSupport(old))
    errors.push(fieldError.forbidden('spec', 'Pod running on node without support for resize'));
  if (hasPodLevel(old) || hasPodLevel(next)) {
    if (!release.resizesAll)
      return [...errors, fieldError.forbidden('', 'pods with pod-level resources cannot be resized')];
    errors.push(...checkPodLevel(next, old));
  }
  const misplaced = checkOrder(spec, before);
  return [...errors, ...(misplaced.length > 0 ? misplaced : checkContainers(spec, before, release))];
}

/** This subresource writes only the resources of containers, and of the pod. */
export const resizeRules = (release: ResizeRelease): SubresourceRules<Pod> => ({
  prepareForUpdate(next, old, context) {
    prepareResize(next, old, release);
    keepStatus(next, old, context);
  },
  validate: (next, old, { names }) => validateResize(next, old, release, names.annotations.configMirror),
});
