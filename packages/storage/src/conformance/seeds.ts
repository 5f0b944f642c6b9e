/** The seeds of a random case: `count` of them from `first` on, or the number in `STORE_SEEDS`. */
export function seedsOf(first: number, count: number): readonly number[] {
  const length = Number(process.env['STORE_SEEDS'] ?? count);
  return Array.from({ length }, (_, i) => first + i);
}
