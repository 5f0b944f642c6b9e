import type { Pace, Work } from '@orch/machinery/concurrency';
import { isJsonObject, type MutableJsonObject, setField } from '@orch/machinery/json';
import { PatchError } from '../patch-error.ts';

export const patchDirective = '$patch';
export const retainKeysDirective = '$retainKeys';
export const deletePrefix = '$deleteFromPrimitiveList/';
export const orderPrefix = '$setElementOrder/';

export type PatchMode = 'merge' | 'replace' | 'delete';

/** The value of `$patch` in an object; `merge` when it has none. */
export function modeOf(patch: MutableJsonObject, path: string): PatchMode {
  if (!Object.hasOwn(patch, patchDirective)) return 'merge';
  const mode = patch[patchDirective];
  if (mode === 'merge' || mode === 'replace' || mode === 'delete') return mode;
  throw new PatchError(
    'failed',
    `${path || 'the patch'}: ${patchDirective} must be merge, replace or delete`,
  );
}

export const isDirective = (name: string): boolean =>
  name === patchDirective ||
  name === retainKeysDirective ||
  name.startsWith(deletePrefix) ||
  name.startsWith(orderPrefix);

/** The value as it would be stored, made in pieces: directives and fields set to null left out, at every level. */
export function* withoutDirectives(value: unknown, pace: Pace): Work<unknown> {
  if (Array.isArray(value)) return yield* itemsWithoutDirectives(value, pace);
  if (!isJsonObject(value)) return value;
  const kept: MutableJsonObject = {};
  for (const [name, field] of Object.entries(value)) {
    if (pace.isDue()) yield;
    if (isDirective(name) || field === null) continue;
    setField(kept, name, typeof field === 'object' ? yield* withoutDirectives(field, pace) : field);
  }
  return kept;
}

function* itemsWithoutDirectives(list: readonly unknown[], pace: Pace): Work<unknown[]> {
  const kept: unknown[] = [];
  for (const item of list) {
    if (pace.isDue()) yield;
    if (isJsonObject(item) && Object.hasOwn(item, patchDirective)) continue;
    kept.push(typeof item === 'object' ? yield* withoutDirectives(item, pace) : item);
  }
  return kept;
}

/** A directive's list, e.g. of `$retainKeys`; anything else is an error of the patch. */
export function listOf(patch: MutableJsonObject, name: string, path: string): readonly unknown[] | undefined {
  if (!Object.hasOwn(patch, name)) return undefined;
  const list = patch[name];
  if (Array.isArray(list)) return list;
  throw new PatchError('failed', `${path === '' ? name : `${path}.${name}`}: must be a list`);
}
