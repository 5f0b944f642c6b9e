import { Pace, type Work } from '../concurrency/index.ts';
import { type FieldError, MAX_FIELD_ERRORS } from '../field-error.ts';

// Paths of fields in errors: `spec.containers[0].ports[1].name`, `metadata.labels[a.b/c]`. `''` is the root.

/** The field `name` of what `path` names. */
export const child = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The item `position` of the list that `path` names. */
export const index = (path: string, position: number): string => `${path}[${position}]`;

/** The entry `entry` of the map that `path` names. */
export const key = (path: string, entry: string): string => `${path}[${entry}]`;

export const fieldPath = Object.freeze({ child, index, key });

/** The problems of one item. */
export type ItemCheck<T> = (item: T, position: number) => readonly FieldError[];

/** Problems of items, in their order, up to the number that is reported: further items are not checked. */
export function problemsOf<T>(items: Iterable<T>, check: ItemCheck<T>): FieldError[] {
  const found: FieldError[] = [];
  let position = 0;
  for (const item of items) {
    // Not as arguments of one call: an item may have more problems than the stack holds.
    for (const problem of check(item, position++)) found.push(problem);
    if (found.length >= MAX_FIELD_ERRORS) break;
  }
  return found;
}

/** Like `problemsOf`, in pieces. */
export function* problemsInPieces<T>(items: Iterable<T>, check: ItemCheck<T>): Work<FieldError[]> {
  const pace = new Pace();
  const found: FieldError[] = [];
  let position = 0;
  for (const item of items) {
    if (pace.isDue()) yield;
    for (const problem of check(item, position++)) found.push(problem);
    if (found.length >= MAX_FIELD_ERRORS) break;
  }
  return found;
}
