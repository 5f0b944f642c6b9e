import { createHash } from 'node:crypto';

/** An order of steps, by their indexes. */
export interface Order {
  readonly steps: readonly number[];
  /** Whether the controllers come to rest after each step. */
  readonly rests: boolean;
}

const ORDERS = 8;

/** Different orders of a number of steps, the same for the same seed; every second one with rests. */
export function ordersOf(
  count: number,
  { orders = ORDERS, seed = 1 }: { readonly orders?: number; readonly seed?: number },
): readonly Order[] {
  const found = new Map<string, readonly number[]>();
  // A few steps have fewer orders than are asked for.
  for (let i = 0; found.size < orders && i < orders * 4; i++) {
    const steps = shuffled(count, `${seed} ${i}`);
    found.set(steps.join(), steps);
  }
  return Array.from(found.values(), (steps, i) => ({ steps, rests: i % 2 === 1 }));
}

function shuffled(count: number, text: string): readonly number[] {
  const rank = (index: number): string => createHash('sha256').update(`${text} ${index}`).digest('hex');
  const ranked = Array.from({ length: count }, (_, index) => [rank(index), index] as const);
  return ranked.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, index]) => index);
}
