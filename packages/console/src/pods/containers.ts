import type { ApiObject } from '@orch/machinery';
import { asNumber, asObject, asObjects, asText, specOf, statusOf } from '@orch/machinery/json';

/** A container of a pod. */
export interface PodContainer {
  readonly name: string;
  /** Empty for one of the main containers. */
  readonly role: '' | 'init' | 'ephemeral';
  /** The number of earlier runs. */
  readonly restarts: number;
  /** `running`, `waiting` or `terminated`; empty when unknown. */
  readonly state: string;
}

const lists = [
  { role: '', containers: 'containers', statuses: 'containerStatuses' },
  { role: 'init', containers: 'initContainers', statuses: 'initContainerStatuses' },
  { role: 'ephemeral', containers: 'ephemeralContainers', statuses: 'ephemeralContainerStatuses' },
] as const;

/** The containers of a pod, the main ones first. */
export const containersOf = (pod: ApiObject): readonly PodContainer[] =>
  lists.flatMap(({ role, containers, statuses }) => {
    const found = new Map(asObjects(statusOf(pod)[statuses]).map((each) => [asText(each['name']), each]));
    return asObjects(specOf(pod)[containers]).map((each) => {
      const name = asText(each['name']);
      const status = asObject(found.get(name));
      const [state = ''] = Object.keys(asObject(status['state']));
      return { name, role, restarts: asNumber(status['restartCount']), state };
    });
  });
