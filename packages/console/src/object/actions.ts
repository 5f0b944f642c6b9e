import type { DiscoveredResource } from '@orch/client';
import type { ApiObject, Names } from '@orch/machinery';
import {
  asNumber,
  asObject,
  asObjects,
  asText,
  type JsonObject,
  specOf,
  statusOf,
} from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';

/** A change of an object that has a name of its own. */
export interface Action {
  readonly name: string;
  readonly about: string;
  /** The path that is read and patched: that of the object or of a subresource. */
  readonly subresource: '' | 'scale' | 'approval';
  /** The number that the user can change before the dry run. */
  readonly number?: { readonly label: string; readonly value: number };
  /** The merge patch, which holds for this object only, not for another one of the same name. */
  patch(number: number): JsonObject;
}

export interface ActionPlace {
  readonly resource: DiscoveredResource;
  readonly object: ApiObject;
  readonly names: Names;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

const restarted: ReadonlySet<string> = new Set(['deployments', 'daemonsets', 'statefulsets']);

/** The actions for an object, besides editing and deleting it. */
export const actionsOf = (place: ActionPlace): readonly Action[] => {
  const { group, resource, subresources } = place.resource;
  return [
    ...(subresources.includes('scale') ? [scale(place)] : []),
    ...(group === 'apps' && restarted.has(resource) ? [restart(place)] : []),
    ...(group === '' && resource === 'nodes' ? [cordon(place)] : []),
    ...(group === place.names.group('certificates') && subresources.includes('approval')
      ? [decision(place, 'Approve'), decision(place, 'Deny')]
      : []),
  ];
};

const identity = ({ object }: ActionPlace): { readonly uid: string } => ({ uid: object.metadata.uid ?? '' });

const scale = (place: ActionPlace): Action => ({
  name: 'Scale',
  about: 'Changes the number of replicas.',
  subresource: 'scale',
  number: { label: 'Replicas', value: asNumber(specOf(place.object)['replicas']) },
  patch: (replicas) => ({ metadata: identity(place), spec: { replicas } }),
});

const restart = (place: ActionPlace): Action => ({
  name: 'Restart',
  about:
    specOf(place.object)['paused'] === true
      ? 'The rollout is paused: its pods are replaced when it is resumed.'
      : 'Replaces the pods as in every rollout, by an annotation of their template with the time.',
  subresource: '',
  patch() {
    const annotations = { [place.names.annotations.restartedAt]: formatTime(place.nowMs) };
    return { metadata: identity(place), spec: { template: { metadata: { annotations } } } };
  },
});

function cordon(place: ActionPlace): Action {
  const isCordoned = specOf(place.object)['unschedulable'] === true;
  return {
    name: isCordoned ? 'Uncordon' : 'Cordon',
    about: isCordoned
      ? 'The scheduler may place new pods on the node again.'
      : 'The scheduler places no new pods on the node. Its pods keep running.',
    subresource: '',
    patch: () => ({ metadata: identity(place), spec: { unschedulable: isCordoned ? null : true } }),
  };
}

/** The decision carries the version that the user has seen: a list of conditions is replaced as a whole. */
function decision(place: ActionPlace, name: 'Approve' | 'Deny'): Action {
  const { metadata } = place.object;
  const spec = specOf(place.object);
  const type = name === 'Approve' ? 'Approved' : 'Denied';
  const condition = {
    ...{ type, status: 'True', lastUpdateTime: formatTime(place.nowMs) },
    reason: `Console${name}`,
    message: `This request was ${type.toLowerCase()} in the console.`,
  };
  const others = asObjects(statusOf(place.object)['conditions']).filter((each) => each['type'] !== type);
  const about = `${asText(asObject(spec)['username']) || 'Somebody'} asks the signer ${asText(spec['signerName'])} for a certificate.`;
  return {
    name,
    about:
      name === 'Approve'
        ? `${about} Its holder can act as the user that the request names.`
        : `${about} The signer will not issue it.`,
    subresource: 'approval',
    patch: () => ({
      metadata: { ...identity(place), resourceVersion: metadata.resourceVersion ?? '' },
      status: { conditions: [...others, condition] },
    }),
  };
}
