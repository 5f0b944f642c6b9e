import { type FieldError, MAX_FIELD_ERRORS } from '../field-error.ts';

/** Problems of items, in their order, up to the number that is reported: further items are not checked. */
export function problemsOf<T>(
  items: Iterable<T>,
  check: (item: T, position: number) => readonly FieldError[],
): FieldError[] {
  const found: FieldError[] = [];
  let position = 0;
  for (const item of items) {
    found.push(...check(item, position++));
    if (found.length >= MAX_FIELD_ERRORS) break;
  }
  return found;
}
