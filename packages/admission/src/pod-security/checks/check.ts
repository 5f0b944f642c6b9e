import type { PodSpec } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import { type AnyContainer, containersOf } from '../../shared/pods.ts';

/** A pod or pod template in the form that checks read. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  /** Initial, ordinary and ephemeral containers. */
  readonly containers: readonly AnyContainer[];
  readonly names: Names;
}

export function checkedPod({ metadata, spec = {} }: PodParts, names: Names): CheckedPod {
  return { annotations: metadata?.annotations ?? {}, spec, containers: containersOf(spec), names };
}

/** The common parts of a pod and a template of pods. */
export interface PodParts {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: PodSpec;
}

/** The violated rule, and the parts of the pod that violate it. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** One check of the Pod Security Standards in one of its versions. */
export type Check = (pod: CheckedPod) => Violation | undefined;

/** Names of the containers for which a condition holds. */
export const containersWhere = (
  { containers }: CheckedPod,
  holds: (container: AnyContainer) => boolean,
): readonly string[] => containers.filter(holds).map(({ name = '' }) => name);

export const plural = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

export const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');

/** `container "a"`, `volumes "a", "b"`. */
export const listed = (what: string, names: readonly string[]): string =>
  `${plural(names.length, what)} ${quoted(names)}`;

/** The parts of a pod that set a forbidden value: `pod and containers "a", "b"`; empty when none does. */
export function settersText(isSetByPod: boolean, containers: readonly string[]): string {
  const setters = [
    ...(isSetByPod ? ['pod'] : []),
    ...(containers.length === 0 ? [] : [listed('container', containers)]),
  ];
  return setters.join(' and ');
}

/** Distinct strings in order. */
export const sortedSet = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].toSorted();

/** A violation unless `detail` is empty. */
export const violation = (reason: string, detail: string): Violation | undefined =>
  detail === '' ? undefined : { reason, detail };

/** Pods of Windows cannot set what the check requires. */
export const exceptOnWindows =
  (check: Check): Check =>
  (pod) =>
    pod.spec.os?.name === 'windows' ? undefined : check(pod);

/** Pods in a user namespace may be root there. */
export const exceptInUserNamespace =
  (check: Check): Check =>
  (pod) =>
    pod.spec.hostUsers === false ? undefined : check(pod);
