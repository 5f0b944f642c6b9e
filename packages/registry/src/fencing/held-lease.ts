import type { CachedObject } from '@orch/cache';
import type { Fence } from '@orch/machinery';
import { isJsonObject, parseJson } from '@orch/machinery/json';

/** The fields of a Lease that are compared with a fence. */
export type LeaseState = Pick<Fence, 'uid' | 'holder' | 'transitions'>;

/** Undefined for a Lease whose stored bytes cannot be read: its holder is unknown. */
export function leaseState(lease: CachedObject): LeaseState | undefined {
  if (lease.corrupt) return undefined;
  const object = parseJson(lease.json());
  const { metadata, spec } = isJsonObject(object) ? object : {};
  const { uid } = isJsonObject(metadata) ? metadata : {};
  const { holderIdentity, leaseTransitions } = isJsonObject(spec) ? spec : {};
  return {
    uid: typeof uid === 'string' ? uid : '',
    holder: typeof holderIdentity === 'string' ? holderIdentity : '',
    transitions: Number(leaseTransitions ?? 0),
  };
}

/** Reports whether a Lease matches a fence: the same holder in the same term, and the same object. */
export const isHeldAs = (state: LeaseState, fence: Fence): boolean =>
  state.uid === fence.uid && state.holder === fence.holder && state.transitions === fence.transitions;

/** The reason why a fence does not hold, for clients that may read the Lease. */
export function explainState(state: LeaseState | undefined, fence: Fence): string {
  const lease = `the lease ${JSON.stringify(`${fence.namespace}/${fence.name}`)}`;
  if (state === undefined) return `${lease} does not exist`;
  if (state.uid !== fence.uid) {
    return `${lease} was created again: it has the uid ${JSON.stringify(state.uid)}, not ${JSON.stringify(fence.uid)}`;
  }
  if (state.holder === '') return `${lease} has no holder`;
  const now = `${JSON.stringify(state.holder)} (transition ${state.transitions})`;
  return `${lease} is held by ${now}, not by ${JSON.stringify(fence.holder)} (transition ${fence.transitions})`;
}

/** For all other clients: it does not reveal whether the Lease exists. */
export const concealedState = ({ namespace, name }: Fence): string =>
  `the lease ${JSON.stringify(`${namespace}/${name}`)} is not held as the fence of the request requires`;
