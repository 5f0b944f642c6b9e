import { type ApiObject, errors } from '@orch/machinery';
import { asObjects, asText, objectAt } from '@orch/machinery/json';

/**
 * The container of a request: the named one, or the only one. 400 when the pod has no such container, or has
 * several and none is named.
 */
export function chosenContainer(pod: ApiObject, requested: string): string {
  const spec = objectAt(pod, 'spec');
  const named = (list: string): readonly string[] => asObjects(spec[list]).map((one) => asText(one['name']));
  const containers = named('containers');
  const init = named('initContainers');
  const ephemeral = named('ephemeralContainers');
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

/** The node of a pod; 400 while it is not scheduled. */
export function nodeNameOf(pod: ApiObject): string {
  const nodeName = asText(objectAt(pod, 'spec')['nodeName']);
  if (nodeName === '') throw errors.badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  return nodeName;
}
