import { Semaphore } from '@orch/machinery/concurrency';
import {
  type CarriedRevisions,
  carriedValue,
  type ReadableKeyValue,
  readable,
  type Store,
  type Write,
} from '@orch/storage';
import { commitUnlessExpired } from '../restore/commit-unless-expired.ts';

/** The revisions of a key of the source. */
export interface SourceEntry extends CarriedRevisions {
  readonly value: Buffer;
  readonly ttlSeconds?: number | undefined;
}

const MAX_IN_FLIGHT = 64;

/** Writes single keys of the source to the target of a migration. */
export class TargetWriter {
  readonly #store: Store;
  #written = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  get written(): number {
    return this.#written;
  }

  /** Brings keys up to date, many at a time; `read` is undefined for a key that must be absent. */
  async write<Key>(
    keys: Iterable<readonly [string, Key]>,
    read: (key: string, item: Key) => Promise<SourceEntry | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const slots = new Semaphore(MAX_IN_FLIGHT);
    await Promise.all(
      Array.from(keys, ([key, item]) =>
        slots.run(signal, async () => this.#put(key, await read(key, item), signal)),
      ),
    );
  }

  async #put(key: string, wanted: SourceEntry | undefined, signal: AbortSignal): Promise<void> {
    const { kv } = await this.#store.get(key, signal);
    const write = writeOf({ key, wanted, present: readable(kv) });
    if (write === undefined) return;
    await commitUnlessExpired(this.#store, write, signal);
    this.#written++;
  }
}

function writeOf({
  key,
  wanted,
  present,
}: {
  readonly key: string;
  readonly wanted: SourceEntry | undefined;
  readonly present: ReadableKeyValue | undefined;
}): Write | undefined {
  if (wanted === undefined)
    return present === undefined ? undefined : { op: 'delete', key, expected: present.modRevision };
  const value = carriedValue(wanted.value, wanted);
  const { ttlSeconds } = wanted;
  const content = { key, value, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
  if (present === undefined) return { op: 'create', ...content };
  // The same revision of the source: with the same ttl, too.
  return present.value.equals(value)
    ? undefined
    : { op: 'update', ...content, expected: present.modRevision };
}
