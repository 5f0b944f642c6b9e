import type { Pace, Work } from '@orch/machinery/concurrency';

/** Reports whether two items have the same text. */
export const hasDuplicates = (items: readonly unknown[]): boolean =>
  new Set(items.map((item) => JSON.stringify(item))).size < items.length;

/** Like `hasDuplicates`, in pieces. */
export function* hasDuplicatesInPieces(items: readonly unknown[], pace: Pace): Work<boolean> {
  const texts = new Set<string>();
  for (const item of items) {
    if (pace.isDue()) yield;
    const text = JSON.stringify(item);
    if (texts.has(text)) return true;
    texts.add(text);
  }
  return false;
}
