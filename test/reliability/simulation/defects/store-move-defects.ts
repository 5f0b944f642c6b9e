import { parseJson } from '@orch/machinery/json';
import { ForwardingStore, keyAfter, type ScanPart, type Store, storeRecordKey } from '@orch/storage';
import { STORE_PREFIX } from '../world/simulated-store.ts';
import { every, type PlantedDefect } from './planted-defect.ts';
import { committing } from './storage-defects.ts';

const recordKey = storeRecordKey(STORE_PREFIX);

/** Each part of a scan is of the newest revision. */
class Torn extends ForwardingStore {
  override async *scan(...[range, , signal]: Parameters<Store['scan']>): AsyncGenerator<ScanPart> {
    let rest = range;
    let rev: number | undefined;
    for (;;) {
      const page = await this.inner.list(rest, { limit: 1 }, signal);
      rev ??= page.rev;
      yield { rev, items: page.items };
      const last = page.items.at(-1);
      if (!page.more || last === undefined) return;
      rest = { start: keyAfter(last.key), end: range.end };
    }
  }
}

export const storeMoveDefects: readonly PlantedDefect[] = [
  {
    what: 'backup: its parts are of different revisions',
    make: () => ({ operator: (store) => new Torn(store) }),
  },
  {
    what: 'restore: keys that are not in the backup stay',
    make: () => ({
      operator: committing(async (inner, write, signal) =>
        write.op === 'delete' && write.key.includes('/configmaps/')
          ? { ok: true, rev: await inner.currentRevision(signal) }
          : inner.commit(write, signal),
      ),
    }),
  },
  {
    what: 'restore: revisions begin again in a new store',
    make: () => ({
      operator: committing((inner, write, signal) => {
        if (write.op === 'delete' || write.key !== recordKey) return inner.commit(write, signal);
        const value = Buffer.from(
          JSON.stringify({ ...(parseJson(write.value) as object), revisionOffset: 0 }),
        );
        return inner.commit({ ...write, value }, signal);
      }),
    }),
  },
  {
    what: 'migration: servers write without a look at the record of the store',
    make: () => ({
      store: committing((inner, { guards, ...write }, signal) => {
        const others = guards?.filter(({ key }) => key !== recordKey) ?? [];
        return inner.commit(others.length === 0 ? write : { ...write, guards: others }, signal);
      }),
    }),
  },
  {
    what: 'migration: one of five keys is not copied',
    make: () => {
      const isLost = every(5);
      return {
        operator: committing(async (inner, write, signal) =>
          write.key.includes('/configmaps/') && isLost()
            ? { ok: true, rev: await inner.currentRevision(signal) }
            : inner.commit(write, signal),
        ),
      };
    },
  },
];
