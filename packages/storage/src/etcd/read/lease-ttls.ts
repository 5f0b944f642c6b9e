import type { KeyValue, ScanPart } from '../../store.ts';
import type { WireKeyValue } from '../proto/kv.ts';

/**
 * The parts of a scan, with the remaining seconds of keys with a lease. Many keys share a lease: each is
 * requested once. Keys of a lease that has expired since get one second: they were deleted after the revision of the scan.
 */
export async function* withLeaseTtls(
  parts: AsyncIterable<ScanPart>,
  ttlOf: (lease: Buffer) => Promise<number>,
): AsyncGenerator<ScanPart> {
  const known = new Map<string, Promise<number>>();
  const secondsOf = (lease: Buffer): Promise<number> => {
    const id = lease.toString('latin1');
    const found = known.get(id) ?? ttlOf(lease);
    known.set(id, found);
    return found;
  };
  for await (const { rev, items } of parts) {
    const ttls = new Map<string, number>();
    const timed = items.map(async ({ key, lease }: KeyValue & Pick<WireKeyValue, 'lease'>) => {
      if (lease !== undefined) ttls.set(key, Math.max(1, await secondsOf(lease)));
    });
    await Promise.all(timed);
    yield { rev, items, ttls };
  }
}
