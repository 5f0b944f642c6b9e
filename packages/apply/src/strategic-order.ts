/** What items of a merged list are told apart by: the value of their merge key, or themselves. */
export type Identity = (item: unknown) => unknown;

/**
 * Orders a merged list: items that `wanted` names come in its order; the others keep the order that they have in
 * `before`, each as near as possible to the neighbours that it had there.
 */
export function inWantedOrder(
  merged: readonly unknown[],
  wanted: readonly unknown[],
  before: readonly unknown[],
  identity: Identity,
): unknown[] {
  const wantedAt = positions(wanted, identity);
  const beforeAt = positions(before, identity);
  const placeIn = (places: ReadonlyMap<unknown, number>) => (item: unknown) =>
    places.get(identity(item)) ?? Infinity;
  const named = merged.filter((item) => wantedAt.has(identity(item)));
  const others = merged.filter((item) => !wantedAt.has(identity(item)));
  return interleave(sortedBy(others, placeIn(beforeAt)), sortedBy(named, placeIn(wantedAt)), (item) =>
    beforeAt.get(identity(item)),
  );
}

function positions(items: readonly unknown[], identity: Identity): Map<unknown, number> {
  const at = new Map<unknown, number>();
  items.forEach((item, i) => {
    const id = identity(item);
    if (!at.has(id)) at.set(id, i);
  });
  return at;
}

const sortedBy = (items: readonly unknown[], place: (item: unknown) => number): unknown[] =>
  // Two items without a place keep their order: the difference of infinities is no number.
  items.toSorted((a, b) => place(a) - place(b) || 0);

/** Merges two lists, each in its own order; an item of `left` goes before the first of `right` that it stood before. */
function interleave(
  left: readonly unknown[],
  right: readonly unknown[],
  placeBefore: (item: unknown) => number | undefined,
): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const item of right) {
    const place = placeBefore(item);
    for (; next < left.length && place !== undefined; next++) {
      const other = placeBefore(left[next]);
      if (other === undefined || other > place) break;
      result.push(left[next]);
    }
    result.push(item);
  }
  return [...result, ...left.slice(next)];
}
