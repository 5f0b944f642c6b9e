/** The identity of an item of a list: the value itself, or that of its merge key. */
export type Identity = (item: unknown) => unknown;

const positions = (identities: readonly unknown[]): ReadonlyMap<unknown, number> => {
  const map = new Map<unknown, number>();
  identities.forEach((identity, index) => {
    if (!map.has(identity)) map.set(identity, index);
  });
  return map;
};

/**
 * Orders merged items by `$setElementOrder`: those it names are in its order; the others keep their order in the live list,
 * each before the first named item that follows it there.
 */
export function inElementOrder(
  merged: readonly unknown[],
  order: readonly unknown[],
  live: readonly unknown[],
  identity: Identity,
): unknown[] {
  const wanted = positions(order);
  const before = positions(live.map(identity));
  const rank = (ranks: ReadonlyMap<unknown, number>, item: unknown): number =>
    ranks.get(identity(item)) ?? -1;
  const named = merged.filter((item) => wanted.has(identity(item)));
  named.sort((a, b) => rank(wanted, a) - rank(wanted, b));
  const others = merged.filter((item) => !wanted.has(identity(item)));
  others.sort((a, b) => rank(before, a) - rank(before, b));

  const result: unknown[] = [];
  let next = 0;
  for (const item of named) {
    const at = rank(before, item);
    while (next < others.length && at >= 0 && rank(before, others[next]) < at) {
      result.push(others[next]);
      next += 1;
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
