/**
 * Functions of the platform that Node 20 lacks, for packages that run on it. The build writes them in place of those of the globals,
 * which keep what the runtime gives them: a program under test sees the same globals as without the package.
 */

/** `Promise.withResolvers`. */
export function promiseWithResolvers<T>(): PromiseWithResolvers<T> {
  // Names of the globals would be replaced here, too.
  const { withResolvers }: Partial<PromiseConstructor> = Promise;
  if (withResolvers !== undefined) return withResolvers.call(Promise) as PromiseWithResolvers<T>;
  const functions: Partial<Omit<PromiseWithResolvers<T>, 'promise'>> = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(functions, { resolve, reject }));
  return { promise, ...functions } as PromiseWithResolvers<T>;
}

/** `Map.groupBy`. */
export function mapGroupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const { groupBy }: Partial<MapConstructor> = Map;
  if (groupBy !== undefined)
    return groupBy.call(Map, items, keyOf as (item: unknown) => unknown) as Map<K, T[]>;
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
