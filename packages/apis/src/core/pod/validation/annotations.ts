import type { Pod } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';

const pathOf = (annotation: string): string => `metadata.annotations[${annotation}]`;

/** Checks that a mirror pod is bound to its node when it is created. */
export function checkMirrorPod(pod: Pod, names: Names): readonly FieldError[] {
  const { configMirror } = names.annotations;
  const hash = pod.metadata.annotations?.[configMirror];
  if (hash === undefined || (pod.spec?.nodeName ?? '') !== '') return [];
  return [
    fieldError.invalid(pathOf(configMirror), hash, 'must set spec.nodeName if mirror pod annotation is set'),
  ];
}

/**
 * Checks that annotations that determine how a node treats a pod are unchanged after its creation, through any path:
 * that of a mirror pod, whose removal or addition would change how the node and its authorizer treat the pod, and the
 * AppArmor profiles of containers.
 */
export function checkFixedAnnotations(
  next: Pod,
  old: Pod,
  { annotations: { configMirror, apparmorContainerPrefix } }: Names,
): readonly FieldError[] {
  const [after = {}, before = {}] = [next.metadata.annotations, old.metadata.annotations];
  return Object.keys({ ...before, ...after }).flatMap((key) => {
    if (after[key] === before[key]) return [];
    const what = key === configMirror ? 'mirror pod annotation' : 'AppArmor annotations';
    if (key !== configMirror && !key.startsWith(apparmorContainerPrefix)) return [];
    const change = Object.hasOwn(before, key) ? 'remove or update' : 'add';
    return [fieldError.forbidden(pathOf(key), `may not ${change} ${what}`)];
  });
}
