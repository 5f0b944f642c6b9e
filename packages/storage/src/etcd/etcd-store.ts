import type { Env } from '@orch/machinery';
import type { KeyRange, WatchRange } from '../keys.ts';
import {
  type Committed,
  type KeyValue,
  type Page,
  type Revision,
  type ScanOptions,
  type ScanPart,
  type Store,
  StoreError,
  type WatchBatch,
  type Write,
} from '../store.ts';
import { checkGuards } from '../store-values.ts';
import { DEFAULT_PROBE_KEY, EtcdClient, type EtcdClientOptions } from './client/etcd-client.ts';
import { fullMessage, refusalOf, storeErrorOf } from './client/etcd-error.ts';
import { RevisionTracker } from './client/revision-tracker.ts';
import { Committer } from './commit/committer.ts';
import type { RangeRequest, RangeResponse } from './proto/kv.ts';
import { withLeaseTtls } from './read/lease-ttls.ts';
import { Lister, type ListOptions } from './read/lister.ts';
import { streamRange } from './read/range-stream.ts';
import { retryRead } from './read/retry-read.ts';
import { Scanner } from './read/scanner.ts';
import type { CallOptions } from './rpc/unary-call.ts';
import { RetryWatcher } from './watch/retry-watcher.ts';

/** Timeouts of calls in milliseconds. */
export interface EtcdDeadlines {
  /** First answer of the cluster when the store is opened. Default 15,000. */
  readonly openMs?: number;
  /** `get`, `currentRevision`, `size`, and every part of a list; they are retried within this time. Default 10,000. */
  readonly readMs?: number;
  /** Default 10,000: a little more than etcd itself waits for a commit. */
  readonly commitMs?: number;
  /** Determining the outcome of a commit without an answer. Default 5,000. */
  readonly resolveMs?: number;
  /** Default 60,000. */
  readonly compactMs?: number;
  /** Confirmation of a watch by the server; it is then retried. Default 10,000. */
  readonly watchMs?: number;
}

export interface EtcdStoreOptions extends EtcdClientOptions {
  readonly env: Pick<Env, 'clock' | 'random' | 'log'>;
  readonly deadlines?: EtcdDeadlines;
  /**
   * Prefix of the commit marks: a few short keys for each server, outside of all watched ranges. Default
   * `/commit-marks/`. If the etcd user may not write there, every commit without an answer is `outcomeUnknown`.
   */
  readonly marksPrefix?: string;
}

const DEFAULT_MARKS_PREFIX = '/commit-marks/';

/**
 * Connects to a cluster and resolves when it has answered a linearizable read. Keys are stored unchanged: the caller
 * adds a prefix. Returned values are views of the answers, which may be some megabytes large: copy values that are
 * kept. Rejects with `unavailable` when there is no answer before the timeout.
 */
export async function openEtcdStore(options: EtcdStoreOptions, signal?: AbortSignal): Promise<Store> {
  const client = new EtcdClient(options);
  const store = new EtcdStore(client, options);
  try {
    await store.probe(options.deadlines?.openMs ?? 15_000, signal ?? new AbortController().signal);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

class EtcdStore implements Store {
  readonly #client: EtcdClient;
  readonly #env: Pick<Env, 'clock' | 'random' | 'log'>;
  readonly #probeKey: string;
  readonly #readMs: number;
  readonly #compactMs: number;
  readonly #tracker = new RevisionTracker();
  readonly #lister = new Lister();
  readonly #scanner = new Scanner();
  readonly #watcher: RetryWatcher;
  readonly #committer: Committer;
  #closed = false;

  constructor(client: EtcdClient, options: EtcdStoreOptions) {
    const { env, deadlines = {}, probeKey = DEFAULT_PROBE_KEY } = options;
    this.#client = client;
    this.#env = env;
    this.#probeKey = probeKey;
    this.#readMs = deadlines.readMs ?? 10_000;
    this.#compactMs = deadlines.compactMs ?? 60_000;
    this.#watcher = new RetryWatcher({
      ...env,
      client,
      tracker: this.#tracker,
      probeKey,
      createTimeoutMs: deadlines.watchMs ?? 10_000,
    });
    this.#committer = new Committer({
      ...env,
      client,
      tracker: this.#tracker,
      reads: this,
      marksPrefix: options.marksPrefix ?? DEFAULT_MARKS_PREFIX,
      commitTimeoutMs: deadlines.commitMs ?? 10_000,
      resolveTimeoutMs: deadlines.resolveMs ?? 5_000,
    });
  }

  /** Waits for the first answer of the cluster. */
  async probe(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const probe = { key: this.#probeKey, countOnly: true };
    await this.#read(timeoutMs, signal, (options) => this.#client.range(probe, options));
  }

  async get(key: string, signal: AbortSignal): Promise<{ readonly rev: Revision; readonly kv?: KeyValue }> {
    const { revision: rev, kvs } = await this.#range({ key }, signal);
    const [kv] = kvs;
    return kv === undefined ? { rev } : { rev, kv };
  }

  async list(range: KeyRange, options: ListOptions, signal: AbortSignal): Promise<Page> {
    return this.#lister.list(range, options, (request) => this.#range(request, signal));
  }

  scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncIterable<ScanPart> {
    const parts = this.#scanner.scan(range, options, {
      read: (request) => this.#range(request, signal),
      stream: (request) => {
        this.#enter(signal);
        return streamRange(this.#client, this.#env.clock, request, { timeoutMs: this.#readMs, signal });
      },
    });
    return options.withTtl === true ? withLeaseTtls(parts, (lease) => this.#leaseTtl(lease, signal)) : parts;
  }

  commit(write: Write, signal: AbortSignal): Promise<Committed> {
    try {
      this.#enter(signal);
      checkGuards(write);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#committer.commit(write, signal);
  }

  watch(range: WatchRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
    return this.#watcher.watch(range, after, signal);
  }

  async currentRevision(signal: AbortSignal): Promise<Revision> {
    const { revision } = await this.#range({ key: this.#probeKey, countOnly: true }, signal);
    return revision;
  }

  async compact(through: Revision, signal: AbortSignal): Promise<void> {
    this.#enter(signal);
    try {
      await this.#client.compact(through, { timeoutMs: this.#compactMs, signal });
    } catch (error) {
      // Another client has compacted to this revision or further.
      if (refusalOf(error) === 'compacted') return;
      throw storeErrorOf(error);
    }
  }

  async size(signal: AbortSignal): Promise<{ readonly bytes: number; readonly full?: string }> {
    const { dbSizeBytes: bytes, errors } = await this.#read(this.#readMs, signal, (options) =>
      this.#client.status(options),
    );
    const alarm = errors.find((error) => error.includes('alarm:NOSPACE'));
    return alarm === undefined ? { bytes } : { bytes, full: fullMessage(alarm.trim()) };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watcher.close();
    this.#client.close();
  }

  async #leaseTtl(lease: Buffer, signal: AbortSignal): Promise<number> {
    this.#enter(signal);
    try {
      return await this.#client.leaseTtl(lease, { timeoutMs: this.#readMs, signal });
    } catch (error) {
      throw storeErrorOf(error);
    }
  }

  async #range(request: RangeRequest, signal: AbortSignal): Promise<RangeResponse> {
    try {
      return await this.#read(this.#readMs, signal, (options) =>
        // The answer to a list is too large for a hedged request.
        request.rangeEnd === undefined
          ? this.#client.hedgedRange(request, options)
          : this.#client.range(request, options),
      );
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'compacted' || request.revision === undefined)
        throw error;
      const compactRevision = await this.#watcher.compactRevision(request.revision, signal);
      throw storeErrorOf(error.cause, compactRevision);
    }
  }

  async #read<T extends { readonly revision: Revision }>(
    timeoutMs: number,
    signal: AbortSignal,
    read: (options: CallOptions) => Promise<T>,
  ): Promise<T> {
    this.#enter(signal);
    const deadlineAt = this.#env.clock.monotonic() + timeoutMs;
    let response: T;
    try {
      response = await read({ timeoutMs, signal });
    } catch (failure) {
      response = await this.#readAgain({ failure, deadlineAt, signal }, read);
    }
    this.#tracker.observe(response.revision);
    return response;
  }

  async #readAgain<T>(
    failed: { readonly failure: unknown; readonly deadlineAt: number; readonly signal: AbortSignal },
    read: (options: CallOptions) => Promise<T>,
  ): Promise<T> {
    try {
      return await retryRead(this.#env, failed, read);
    } catch (error) {
      throw storeErrorOf(error);
    }
  }

  #enter(signal: AbortSignal): void {
    if (this.#closed) throw new StoreError('closed', 'the store was closed');
    signal.throwIfAborted();
  }
}
