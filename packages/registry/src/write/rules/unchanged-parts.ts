import type { ApiObject } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';

/**
 * Makes the parts of an object that equal those of its stored state identical to them: later comparisons of the two
 * then cost nothing. An object of megabytes is otherwise compared as a whole for its generation, its immutable fields,
 * its rules and its owners. Neither object may be changed within these parts afterwards.
 */
export function shareUnchangedParts(next: ApiObject, old: ApiObject): void {
  for (const [name, part] of Object.entries(next)) {
    if (name === 'metadata' || !Object.hasOwn(old, name)) continue;
    const before = old[name];
    if (part !== before && jsonEquals(part, before)) next[name] = before;
  }
}
