import { compareKeys, type KeyValue, type ScanPart, type Store, type WatchBatch } from '@orch/storage';
import { podBytes, podKey } from './pods.ts';

/**
 * A read-only store that creates its pods when they are scanned, so that a process that measures memory holds no
 * others.
 */
export function syntheticStore(count: number): Store {
  const keys = Array.from({ length: count }, (_, n) => ({ n, key: podKey(n) })).sort((a, b) =>
    compareKeys(a.key, b.key),
  );
  const refuse = (): Promise<never> => Promise.reject(new Error('the synthetic store is only scanned'));
  return {
    async *scan(_range, { byteBudget = Number.POSITIVE_INFINITY }): AsyncGenerator<ScanPart> {
      for (let next = 0; next < keys.length; ) {
        const items: KeyValue[] = [];
        for (let bytes = 0; next < keys.length && bytes < byteBudget; next++) {
          const { n, key } = keys[next] ?? { n: 0, key: '' };
          const value = podBytes(n);
          bytes += value.length;
          items.push({ key, value, createRevision: n + 2, modRevision: n + 2 });
        }
        yield { rev: count + 2, items };
      }
    },
    list: refuse,
    async *watch(_range, _after, signal): AsyncGenerator<WatchBatch> {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    currentRevision: async () => count + 2,
    get: refuse,
    commit: refuse,
    compact: refuse,
    size: async () => ({ bytes: 0 }),
    close: async () => undefined,
  };
}
