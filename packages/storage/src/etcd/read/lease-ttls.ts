import type { ScanPart } from '../../store.ts';
import type { WireKeyValue } from '../proto/kv.ts';

/**
 * The parts of a scan, in which keys with a lease have the remaining seconds of it. Many keys share a lease: each is
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
    const timed = items.map(async (kv: WireKeyValue) => {
      if (kv.lease === undefined) return kv;
      const { lease, ...rest } = kv;
      return { ...rest, ttlSeconds: Math.max(1, await secondsOf(lease)) };
    });
    yield { rev, items: await Promise.all(timed) };
  }
}
