/**
 * Runs an action for all items with at most `limit` at the same time, and passes results to `report` in the order of the
 * items. The first rejection stops the start of further actions, and is thrown after the running ones have ended.
 */
export async function inFlight<T, R>(
  items: readonly T[],
  limit: number,
  { act, report }: { readonly act: (item: T) => Promise<R>; readonly report: (item: T, result: R) => void },
): Promise<void> {
  const results = new Map<number, R>();
  let [next, reported] = [0, 0];
  let failure: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    while (next < items.length && failure === undefined) {
      const at = next++;
      try {
        results.set(at, await act(items[at] as T));
      } catch (error) {
        failure ??= { error };
        return;
      }
      for (; results.has(reported); reported++) {
        report(items[reported] as T, results.get(reported) as R);
        results.delete(reported);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  if (failure !== undefined) throw failure.error;
}
