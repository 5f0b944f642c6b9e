/** Largest difference of clocks. */
export const TOLERANCE_MS = 30_000;

interface Named {
  readonly name?: string;
}

export const namesOf = (list: readonly Named[]): readonly string[] => list.map(({ name = '' }) => name);

export const hasDuplicates = (list: readonly Named[]): boolean => new Set(namesOf(list)).size < list.length;

/** Reports whether lists without duplicates have the same names. */
export function sameNames(list: readonly Named[], others: readonly Named[]): boolean {
  const names = new Set(namesOf(list));
  return list.length === others.length && namesOf(others).every((name) => names.has(name));
}
