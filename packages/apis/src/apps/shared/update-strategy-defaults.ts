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

/**
 * The update strategy of a StatefulSet. `rollingUpdate` is made only along with a type that was left out; where it is
 * there, all of it has its defaults.
 */
export const statefulSetStrategyDefaults =
  (usual: 'RollingUpdate' | 'OnDelete'): Derive =>
  (strategy) => {
    const unnamed = strategy['type'] === undefined;
    if (unnamed) strategy['type'] = usual;
    const given = strategy['rollingUpdate'];
    if (strategy['type'] !== 'RollingUpdate' || (given === undefined && !unnamed)) return unnamed;
    const { partition } = asObject(given);
    // What is made here gets no defaults of its own any more; members that the release lacks go again.
    if (given === undefined) strategy['rollingUpdate'] = { partition: 0, maxUnavailable: 1 };
    else if (partition === undefined) strategy['rollingUpdate'] = { ...asObject(given), partition: 0 };
    return unnamed || partition === undefined;
  };
