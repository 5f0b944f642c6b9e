import type { Derive } from '@orch/schema';
import { asObject, asStrings, asText, type JsonObject } from '../../read.ts';

/** Everything the machine has, where the node agent does not say what pods can have. */
export const allocatableFromCapacity = (status: JsonObject): JsonObject | undefined =>
  status['capacity'] === undefined ? undefined : { ...asObject(status['capacity']) };

/** `podCIDR` is the first of `podCIDRs`; the older member wins where they differ. */
export const derivePodCidrs: Derive = (spec) => {
  const [first = ''] = asStrings(spec['podCIDRs']);
  const single = asText(spec['podCIDR']);
  if (first === single) return false;
  if (single === '') spec['podCIDR'] = first;
  else spec['podCIDRs'] = [single];
  return true;
};
