import type { ApiObject } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { jsonEquals, jsonEqualsInPieces } from '@orch/machinery/json';

/**
 * Makes the parts of an object that equal those of its stored state identical to them: later comparisons of the two
 * then cost nothing. An object of megabytes is otherwise compared as a whole for its generation, its immutable fields,
 * its rules and its owners. Neither object may be changed within these parts afterwards.
 */
export function shareUnchangedParts(next: ApiObject, old: ApiObject): void {
  for (const name in next) {
    if (name === 'metadata' || !Object.hasOwn(old, name)) continue;
    const [part, before] = [next[name], old[name]];
    if (part !== before && jsonEquals(part, before)) next[name] = before;
  }
}

/** Like `shareUnchangedParts`, in pieces. */
export function* sharingUnchangedParts(next: ApiObject, old: ApiObject): Work<void> {
  for (const [name, part] of Object.entries(next)) {
    if (name === 'metadata' || !Object.hasOwn(old, name)) continue;
    const before = old[name];
    if (part !== before && (yield* jsonEqualsInPieces(part, before))) next[name] = before;
  }
}
