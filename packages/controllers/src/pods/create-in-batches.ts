/**
 * Makes things in batches of one, two, four and so on, and stops after a batch in which one failed: what a quota or a webhook refuses
 * once is refused for all, and thousands of refused requests would only cost. Rejects with the first failure.
 */
export async function createInBatches<T>(
  items: readonly T[],
  create: (item: T) => Promise<unknown>,
): Promise<void> {
  let from = 0;
  for (let size = 1; from < items.length; size *= 2) {
    const results = await Promise.allSettled(items.slice(from, from + size).map(create));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    from += size;
  }
}
