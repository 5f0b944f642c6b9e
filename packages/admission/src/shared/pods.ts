import type { ObjectSource } from '@orch/auth';
import type { Container, EphemeralContainer, Pod, PodSpec } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { ApiObject } from '@orch/machinery';
import type { AdmissionAttributes } from '../types.ts';

/** A pod that a plugin may change; its lists are replaced, not changed. */
export type PodDraft = Draft<Pod>;

/** The pod of a write; its old state is `podOf(write.oldObject)`. */
export const podOf = (object: ApiObject | undefined): PodDraft | undefined => object as PodDraft | undefined;

/** The spec of the pod of a write, which may be changed; undefined without a pod. */
export function podSpecOf({ object }: AdmissionAttributes): Draft<PodSpec> | undefined {
  const pod = podOf(object);
  if (pod === undefined) return undefined;
  pod.spec ??= {};
  return pod.spec;
}

/** A container of any of the three kinds. */
export type AnyContainer = Container | EphemeralContainer;

/** Initial, ordinary and ephemeral containers. */
export const containersOf = (spec: PodSpec): readonly AnyContainer[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

/** Initial, ordinary and ephemeral containers with their paths: `spec.initContainers[0]`. */
export const containersWithPaths = (
  spec: PodSpec,
): readonly { readonly container: AnyContainer; readonly path: string }[] =>
  (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container, i) => ({ container, path: `spec.${list}[${i}]` })),
  );

/** Replaces every container of a pod, of all three kinds. */
export function replaceContainers(
  spec: Draft<PodSpec>,
  replace: <C extends AnyContainer>(container: C) => C,
): void {
  if (spec.initContainers !== undefined) spec.initContainers = spec.initContainers.map((c) => replace(c));
  if (spec.containers !== undefined && spec.containers !== null)
    spec.containers = spec.containers.map((c) => replace(c));
  if (spec.ephemeralContainers !== undefined)
    spec.ephemeralContainers = spec.ephemeralContainers.map((c) => replace(c));
}

/** The stored pod of a request through one of its subresources; undefined when it does not exist. */
export async function storedPod(
  source: ObjectSource,
  { namespace, name, signal }: Pick<AdmissionAttributes, 'namespace' | 'name' | 'signal'>,
): Promise<Pod | undefined> {
  await source.fresh(signal);
  return source.get('pods', namespace, name);
}
