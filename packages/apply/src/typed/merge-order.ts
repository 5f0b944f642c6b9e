import type { Element } from '../fields/element.ts';

/** The source of an item of a merged list. */
export interface Origin {
  readonly from: 'live' | 'config';
  readonly at: number;
}

/**
 * The order of a merged list: items of the configuration are in its order; those only in the live list stay before the
 * item that they preceded. Linear. Duplicate items of the live list are kept only if the configuration does not name
 * them. `places` has the first index of each live item.
 */
export function mergeOrder(
  live: readonly Element[],
  config: readonly Element[],
  places: ReadonlyMap<Element, number>,
): Origin[] {
  const named = new Set(config);
  const order: Origin[] = [];
  let next = 0;
  /** Advances in the live list up to an index, and appends the items that the configuration does not name. */
  const passTo = (end: number): void => {
    for (; next < end; next++) if (!named.has(live[next] ?? '')) order.push({ from: 'live', at: next });
  };
  config.forEach((id, at) => {
    const place = places.get(id);
    if (place === undefined) {
      // A new item follows the live ones that precede the next shared item.
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
