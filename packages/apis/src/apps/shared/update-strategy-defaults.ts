import type { Derive } from '@orch/schema';
import { asObject, type JsonObject } from '../../read.ts';

/** Where pods are replaced gradually, members of `rollingUpdate` that are absent have these values. */
export const rollingUpdateDefaults =
  (values: JsonObject): Derive =>
  (strategy) => {
    if (strategy['type'] !== 'RollingUpdate') return false;
    const given = asObject(strategy['rollingUpdate']);
    if (Object.keys(values).every((member) => given[member] !== undefined)) return false;
    strategy['rollingUpdate'] = { ...values, ...given };
    return true;
  };
