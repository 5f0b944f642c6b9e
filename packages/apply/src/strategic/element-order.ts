import { type Pace, sortInPieces, type Work } from '@orch/machinery/concurrency';

/** The identity of an item of a list: the value itself, or that of its merge key. */
export type Identity = (item: unknown) => unknown;

const positions = (identities: readonly unknown[]): ReadonlyMap<unknown, number> => {
  const map = new Map<unknown, number>();
  identities.forEach((identity, index) => {
    if (!map.has(identity)) map.set(identity, index);
  });
  return map;
};

/** A merged list, and what its order depends on. */
export interface Ordering {
  readonly merged: readonly unknown[];
  /** The identities that `$setElementOrder` names. */
  readonly order: readonly unknown[];
  readonly live: readonly unknown[];
  readonly identity: Identity;
}

/**
 * Orders merged items by `$setElementOrder`, in pieces: those it names are in its order; the others keep their order in the
 * live list, each before the first named item that follows it there.
 */
export function* inElementOrder({ merged, order, live, identity }: Ordering, pace: Pace): Work<unknown[]> {
  const wanted = positions(order);
  yield;
  const before = positions(live.map(identity));
  yield;
  const sortedBy = (ranks: ReadonlyMap<unknown, number>, items: readonly unknown[]) =>
    sortInPieces(items, (a, b) => rankIn(ranks, identity(a)) - rankIn(ranks, identity(b)), { pace });
  const isNamed = (item: unknown): boolean => wanted.has(identity(item));
  const named = yield* sortedBy(wanted, merged.filter(isNamed));
  yield;
  const others = yield* sortedBy(
    before,
    merged.filter((item) => !isNamed(item)),
  );
  const result: unknown[] = [];
  let next = 0;
  for (const item of named) {
    if (pace.isDue()) yield;
    const at = rankIn(before, identity(item));
    while (next < others.length && at >= 0 && rankIn(before, identity(others[next])) < at) {
      result.push(others[next]);
      next += 1;
    }
    result.push(item);
  }
  return result.concat(others.slice(next));
}

const rankIn = (ranks: ReadonlyMap<unknown, number>, identity: unknown): number => ranks.get(identity) ?? -1;
