import type { Pod } from '@orch/kinds/core';
import { errors } from '@orch/machinery';

/**
 * The container of a request: the named one, or the only one. 400 when the pod has no such container, or has
 * several and none is named.
 */
export function chosenContainer(pod: Pod, requested: string): string {
  const containers = namesOf(pod.spec?.containers);
  const init = namesOf(pod.spec?.initContainers);
  const ephemeral = namesOf(pod.spec?.ephemeralContainers);
  const { name = '' } = pod.metadata;
  if (requested !== '') {
    if ([...containers, ...init, ...ephemeral].includes(requested)) return requested;
    throw errors.badRequest(`container ${requested.slice(0, 300)} is not valid for pod ${name}`);
  }
  const [only, second] = containers;
  if (only !== undefined && second === undefined) return only;
  throw errors.badRequest(
    `a container name must be specified for pod ${name}` +
      (containers.length === 0 ? '' : `, choose one of: [${containers.join(' ')}]`) +
      (init.length === 0 ? '' : ` or one of the init containers: [${init.join(' ')}]`) +
      (ephemeral.length === 0 ? '' : ` or one of the ephemeral containers: [${ephemeral.join(' ')}]`),
  );
}

const namesOf = (containers: readonly { readonly name?: string }[] | null | undefined): readonly string[] =>
  (containers ?? []).map(({ name = '' }) => name);

/** The node of a pod; 400 while it is not scheduled. */
export function nodeNameOf(pod: Pod): string {
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') throw errors.badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  return nodeName;
}
