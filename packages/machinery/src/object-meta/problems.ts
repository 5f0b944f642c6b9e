import { type FieldError, MAX_FIELD_ERRORS } from '../field-error.ts';

/** What is wrong with items, in their order, up to as many problems as anybody is told: the rest is not looked at. */
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
