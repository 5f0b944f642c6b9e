import type { Element } from '../fields/element.ts';

/** Where an item of a merged list comes from. */
export interface Origin {
  readonly from: 'live' | 'config';
  readonly at: number;
}

/**
 * The order of a merged list: items of the configuration stand in its order; those that only the live list has keep
 * their place before the item that they stood before. Linear. Items that the live list repeats stay only where the
 * configuration does not name them. `places` tells the first place of each live item.
 */
export function mergeOrder(
  live: readonly Element[],
  config: readonly Element[],
  places: ReadonlyMap<Element, number>,
): Origin[] {
  const named = new Set(config);
  const order: Origin[] = [];
  let next = 0;
  /** Passes over the live list up to a place, taking along what the configuration does not name. */
  const passTo = (end: number): void => {
    for (; next < end; next++) if (!named.has(live[next] ?? '')) order.push({ from: 'live', at: next });
  };
  config.forEach((id, at) => {
    const place = places.get(id);
    if (place === undefined) {
      // A new item goes behind the live ones that come before the next shared item.
      let end = next;
      while (end < live.length && !named.has(live[end] ?? '')) end++;
      passTo(end);
    } else {
      passTo(place);
      next = Math.max(next, place + 1);
    }
    order.push({ from: 'config', at });
  });
  passTo(live.length);
  return order;
}
