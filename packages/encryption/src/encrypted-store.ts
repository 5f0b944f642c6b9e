import {
  type Committed,
  ForwardingStore,
  type KeyRange,
  type KeyValue,
  type KvEvent,
  outdated,
  type Page,
  type ReadableKeyValue,
  type Revision,
  readable,
  type ScanOptions,
  type ScanPart,
  type SideWrite,
  type SideWrites,
  type Store,
  StoreError,
  sideWritesOf,
  type WatchBatch,
  type WatchRange,
  type Write,
} from '@orch/storage';
import { KeyServiceError } from './kms/key-service-error.ts';
import type { ProviderChain } from './provider-chain.ts';
import { type DecryptedValue, DecryptionError } from './value-cipher.ts';

/** The providers of each value, which may change at any time. */
export interface Encryption {
  /** Undefined for values that are stored as they are. */
  chainOf(storageKey: string): ProviderChain | undefined;
}

/**
 * A store whose values are encrypted in the store behind it. Values that cannot be decrypted are returned as unreadable, with the
 * reason. When a key service does not answer, a commit, and a read of one value, fail with `unavailable`; reads of several values
 * return those as unreadable, so that one service does not stop the reads of all resources. Conditions of writes are revisions, so that nothing is
 * read for them.
 */
export class EncryptedStore extends ForwardingStore {
  readonly #encryption: Encryption;

  constructor(store: Store, encryption: Encryption) {
    super(store);
    this.#encryption = encryption;
  }

  override async get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    const { rev, kv } = await super.get(key, signal);
    return kv === undefined ? { rev } : { rev, kv: await this.#decryptedNow(kv) };
  }

  override async list(
    range: KeyRange,
    options: Parameters<Store['list']>[1],
    signal: AbortSignal,
  ): Promise<Page> {
    const page = await super.list(range, options, signal);
    return options.keysOnly === true ? page : { ...page, items: await this.#all(page.items) };
  }

  override async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<ScanPart> {
    for await (const part of super.scan(range, options, signal)) {
      yield options.keysOnly === true ? part : { ...part, items: await this.#all(part.items) };
    }
  }

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    signal.throwIfAborted();
    const committed = await super.commit(await this.#encrypted(write), signal);
    if (committed.ok) return withoutPrevious(committed);
    const { current } = committed;
    return current === undefined ? committed : { ...committed, current: await this.#decryptedNow(current) };
  }

  override async *watch(range: WatchRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    for await (const { rev, events } of super.watch(range, after, signal)) {
      const read = events.map((event) => this.#event(event));
      yield { rev, events: read.some(isPromise) ? await Promise.all(read) : (read as readonly KvEvent[]) };
    }
  }

  #encrypted(write: Write): (Write & SideWrites) | Promise<Write & SideWrites> {
    const also = sideWritesOf(write);
    if (also === undefined) return this.#encryptedMain(write);
    return Promise.all([this.#encryptedMain(write), ...also.map((side) => this.#encryptedSide(side))]).then(
      ([main, ...sides]) => ({ ...main, also: sides }),
    );
  }

  #encryptedMain(write: Write): Write | Promise<Write> {
    if (write.op === 'delete') return write;
    const value = this.#sealed(write.key, write.value);
    if (value === write.value) return write;
    return isPromise(value) ? value.then((sealed) => ({ ...write, value: sealed })) : { ...write, value };
  }

  #encryptedSide(side: SideWrite): SideWrite | Promise<SideWrite> {
    const { key } = side;
    if (side.value === undefined) return side;
    const value = this.#sealed(key, side.value);
    return isPromise(value) ? value.then((sealed) => ({ key, value: sealed })) : { key, value };
  }

  /** The value itself where values are stored as they are. */
  #sealed(key: string, value: Buffer): Buffer | Promise<Buffer> {
    const chain = this.#encryption.chainOf(key);
    if (chain === undefined) return value;
    const sealed = chain.encrypt(value, key);
    if (!isPromise(sealed)) return sealed;
    return sealed.catch((error: unknown) => {
      if (error instanceof KeyServiceError)
        throw new StoreError('unavailable', error.message, { cause: error });
      throw error;
    });
  }

  #event(event: KvEvent): KvEvent | Promise<KvEvent> {
    if (event.type === 'delete') return event;
    const kv = this.#decrypted(event.kv);
    if (isPromise(kv)) return kv.then((read) => ({ type: 'put', kv: read }));
    return kv === event.kv ? event : { type: 'put', kv };
  }

  #all(items: readonly KeyValue[]): readonly KeyValue[] | Promise<readonly KeyValue[]> {
    const read = items.map((kv) => this.#decrypted(kv));
    return read.some(isPromise) ? Promise.all(read) : (read as readonly KeyValue[]);
  }

  async #decryptedNow(kv: KeyValue): Promise<KeyValue> {
    return this.#decrypted(kv, (error) => {
      if (error.code === 'unavailable') throw new StoreError('unavailable', error.message, { cause: error });
      return unreadable(kv, error);
    });
  }

  /** Never throws, so that all values of a batch are awaited when one rejects. */
  #decrypted(
    stored: KeyValue,
    failed = (error: DecryptionError): KeyValue => unreadable(stored, error),
  ): KeyValue | Promise<KeyValue> {
    const chain = this.#encryption.chainOf(stored.key);
    if (chain === undefined) return stored;
    const kv = readable(stored);
    const handled = (error: unknown): KeyValue => {
      if (!(error instanceof DecryptionError)) throw error;
      return failed(error);
    };
    try {
      const read = chain.decrypt(kv.value, kv.key);
      return isPromise(read) ? read.then((value) => withValue(kv, value), handled) : withValue(kv, read);
    } catch (error) {
      return error instanceof DecryptionError ? failed(error) : Promise.reject(error);
    }
  }
}

const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise;

const withValue = (kv: ReadableKeyValue, { value, isStale }: DecryptedValue): ReadableKeyValue =>
  isStale ? outdated(kv, value) : value === kv.value ? kv : { ...kv, value };

const unreadable = (
  { key, createRevision, modRevision }: KeyValue,
  { code, message }: DecryptionError,
): KeyValue => ({
  key,
  createRevision,
  modRevision,
  unreadable: message,
  isTemporary: code === 'unavailable',
});

/** Reporting the replaced version is optional, and decrypting it would cost as much as the write. */
const withoutPrevious = ({ rev }: Committed & { readonly ok: true }): Committed => ({ ok: true, rev });
