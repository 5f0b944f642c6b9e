import {
  ForwardingStore,
  type KeyRange,
  type Revision,
  type Store,
  StoreError,
  type WatchBatch,
} from '@orch/storage';
import { every, type PlantedDefect } from './planted-defect.ts';

type Commit = Store['commit'];
type Watch = (range: KeyRange, after: Revision, signal: AbortSignal) => AsyncIterable<WatchBatch>;

/** Replaces `commit`. */
export const committing =
  (alter: (inner: Store, ...call: Parameters<Commit>) => ReturnType<Commit>) =>
  (inner: Store): Store =>
    new (class extends ForwardingStore {
      override commit(...call: Parameters<Commit>): ReturnType<Commit> {
        return alter(this.inner, ...call);
      }
    })(inner);

/** Replaces `watch`. */
const watching =
  (alter: (inner: Store, ...call: Parameters<Watch>) => AsyncIterable<WatchBatch>) =>
  (inner: Store): Store =>
    new (class extends ForwardingStore {
      override watch(...call: Parameters<Watch>): AsyncIterable<WatchBatch> {
        return alter(this.inner, ...call);
      }
    })(inner);

const isConfigMap = (key: string): boolean => key.includes('/configmaps/');

/** The write, based on the revision that its key has. */
async function unconditional(inner: Store, ...[write, signal]: Parameters<Commit>): ReturnType<Commit> {
  const { kv } = await inner.get(write.key, signal);
  if (write.op === 'create' || kv === undefined) return inner.commit(write, signal);
  return inner.commit({ ...write, expected: kv.modRevision }, signal);
}

async function* withoutEvents(
  batches: AsyncIterable<WatchBatch>,
  isLost: (event: WatchBatch['events'][number]) => boolean,
): AsyncGenerator<WatchBatch> {
  for await (const { rev, events } of batches)
    yield { rev, events: events.filter((event) => !isLost(event)) };
}

export const storageDefects: readonly PlantedDefect[] = [
  {
    what: 'storage: an update does not compare the revision',
    make: () => ({
      store: committing((inner, write, signal) =>
        write.op === 'update' ? unconditional(inner, write, signal) : inner.commit(write, signal),
      ),
    }),
  },
  {
    what: 'storage: a deletion does not compare the revision',
    make: () => ({
      store: committing((inner, write, signal) =>
        write.op === 'delete' ? unconditional(inner, write, signal) : inner.commit(write, signal),
      ),
    }),
  },
  {
    what: 'storage: one of ten updates is acknowledged and not stored',
    make: () => {
      const isLost = every(10);
      return {
        store: committing(async (inner, write, signal) =>
          write.op === 'update' && isConfigMap(write.key) && isLost()
            ? { ok: true, rev: await inner.currentRevision(signal) }
            : inner.commit(write, signal),
        ),
      };
    },
  },
  {
    what: 'storage: one of ten writes fails as unavailable and is stored',
    make: () => {
      const isReported = every(10);
      return {
        store: committing(async (inner, write, signal) => {
          const committed = await inner.commit(write, signal);
          if (committed.ok && isConfigMap(write.key) && isReported())
            throw new StoreError('unavailable', 'the answer was lost');
          return committed;
        }),
      };
    },
  },
  {
    what: 'storage: a watch omits one of five deletions',
    make: () => {
      const isLost = every(5);
      return {
        store: watching((inner, ...call) =>
          withoutEvents(inner.watch(...call), ({ type }) => type === 'delete' && isLost()),
        ),
      };
    },
  },
  {
    what: 'storage: a watch begins one revision late',
    make: () => ({
      store: watching((inner, range, after, signal) =>
        inner.watch(range, after === 0 ? 0 : after + 1, signal),
      ),
    }),
  },
  {
    what: 'storage: a scan omits its last config map',
    make: () => ({
      store: (inner) =>
        new (class extends ForwardingStore {
          override async *scan(...call: Parameters<Store['scan']>): ReturnType<typeof this.scanned> {
            yield* this.scanned(...call);
          }

          async *scanned(...call: Parameters<Store['scan']>) {
            for await (const part of this.inner.scan(...call)) {
              const last = part.items.findLastIndex(({ key }) => isConfigMap(key));
              yield { ...part, items: part.items.filter((_, i) => i !== last) };
            }
          }
        })(inner),
    }),
  },
];
