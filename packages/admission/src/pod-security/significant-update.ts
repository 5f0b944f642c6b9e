import type { Pod, PodSpec } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import { type AnyContainer, containersOf } from '../shared/pods.ts';

/**
 * Reports whether an update of a pod changes a mutable field that checks read: containers, their images and the
 * annotations with their profiles. Other updates are admitted, so that pods that violate a level which their namespace
 * got later can still be labelled and cleaned up.
 */
export function isSignificantUpdate(next: Pod, old: Pod, names: Names): boolean {
  return changesContainers(next.spec ?? {}, old.spec ?? {}) || changesProfiles(next, old, names);
}

function changesContainers(next: PodSpec, old: PodSpec): boolean {
  const before = new Map(containersOf(old).map((container) => [container.name, container]));
  const after = containersOf(next);
  return after.length !== before.size || after.some((container) => isOther(container, before));
}

const isOther = (
  { name, image }: AnyContainer,
  before: ReadonlyMap<string | undefined, AnyContainer>,
): boolean => {
  const old = before.get(name);
  return old === undefined || old.image !== image;
};

function changesProfiles(next: Pod, old: Pod, { annotations }: Names): boolean {
  const { seccompPod, seccompContainerPrefix, apparmorContainerPrefix } = annotations;
  const [after, before] = [next.metadata.annotations ?? {}, old.metadata.annotations ?? {}];
  return Object.keys({ ...after, ...before })
    .filter(
      (key) =>
        key === seccompPod ||
        key.startsWith(seccompContainerPrefix) ||
        key.startsWith(apparmorContainerPrefix),
    )
    .some((key) => after[key] !== before[key]);
}
