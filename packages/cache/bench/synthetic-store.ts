import {
  compareKeys,
  type KeyRange,
  type KeyValue,
  type Page,
  type Store,
  type WatchBatch,
} from '@orch/storage';
import { podBytes, podKey } from './pods.ts';

/** A read-only store that makes its pods when they are listed, so that a process that measures memory holds no others. */
export function syntheticStore(count: number): Store {
  const keys = Array.from({ length: count }, (_, n) => ({ n, key: podKey(n) })).sort((a, b) =>
    compareKeys(a.key, b.key),
  );
  const refuse = (): Promise<never> => Promise.reject(new Error('the synthetic store only lists'));
  return {
    async list(
      range: KeyRange,
      { limit = Number.POSITIVE_INFINITY, byteBudget = Number.POSITIVE_INFINITY },
    ): Promise<Page> {
      const first = keys.findIndex(({ key }) => compareKeys(key, range.start) >= 0);
      const items: KeyValue[] = [];
      let bytes = 0;
      for (let i = first; i >= 0 && i < keys.length && items.length < limit && bytes < byteBudget; i++) {
        const { n, key } = keys[i] ?? { n: 0, key: '' };
        const value = podBytes(n);
        bytes += value.length;
        items.push({ key, value, createRevision: n + 2, modRevision: n + 2 });
      }
      const rest = first < 0 ? 0 : keys.length - first;
      return { rev: count + 2, items, more: items.length < rest, count: rest };
    },
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
