import type { Cancel, Clock } from '@orch/machinery';
import type { WatchRange } from '../../keys.ts';
import type { Revision, WatchBatch } from '../../store.ts';
import type { EtcdClient } from '../client/etcd-client.ts';
import { decodeWatch, encodeWatchCreate, encodeWatchProgress, type WatchResponse } from '../proto/watch.ts';
import type { RpcError } from '../rpc/status.ts';
import type { StreamCall } from '../rpc/stream-call.ts';
import type { FeedSession, SharedFeed } from './shared-feed.ts';
import { WatchAssembler } from './watch-assembler.ts';

/**
 * Why a session has ended.
 * - `lost`: the stream was lost; continue with a new session.
 * - `moving`: the connection is draining; continue with a new session at once.
 * - `compacted`: the first requested revision is compacted.
 * - `refused`: the server gave a reason for ending the watch.
 */
export type SessionEnd =
  | { readonly kind: 'lost'; readonly error: RpcError | undefined }
  | { readonly kind: 'moving' }
  | { readonly kind: 'compacted'; readonly compactRevision: Revision }
  | { readonly kind: 'refused'; readonly reason: string };

export interface SessionOptions {
  readonly range: WatchRange;
  /** Everything up to it was delivered. */
  readonly after: Revision;
  /**
   * Watch every key of the store, so that every revision is received; only events of `range` are delivered. Sessions with the same
   * feed share what they receive.
   */
  readonly wide: SharedFeed | undefined;
  /** Timeout of the wait for a connection. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'schedule'>;
}

/**
 * Limit of answers that wait for the consumer; beyond it the server is stopped (it may then send one more stream
 * window).
 */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;
/** Delay of a batch without events for a consumer that uses only events. */
const PROGRESS_DELAY_MS = 1000;
/** For etcd, a range from '\0' to '\0' means all keys. */
const ALL_KEYS = '\0';

/** One watch on one stream of one connection, from its creation to its end. A wide one may continue on the stream of another. */
export class WatchSession implements FeedSession {
  readonly #client: EtcdClient;
  readonly #feed: SharedFeed | undefined;
  readonly #followers = new Set<WatchSession>();
  readonly #assembler: WatchAssembler;
  readonly #eventsOnly: boolean;
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #call: StreamCall;
  #created: WatchResponse | undefined;
  #end: SessionEnd | undefined;
  #queuedBytes = 0;
  #held = false;
  #leader: WatchSession | undefined;
  #wake: (() => void) | undefined;
  #cancelLater: Cancel | undefined;

  constructor(client: EtcdClient, options: SessionOptions) {
    this.#client = client;
    this.#assembler = new WatchAssembler(options.range, options.after);
    const { wide: feed, range, clock } = options;
    this.#eventsOnly = range.eventsOnly === true;
    this.#clock = clock;
    const wide = feed !== undefined;
    this.#feed = feed;
    const create = {
      key: wide || range.start === '' ? ALL_KEYS : range.start,
      rangeEnd: wide ? ALL_KEYS : range.end,
      startRevision: options.after + 1,
    };
    this.#call = client.watch(
      { timeoutMs: options.timeoutMs, first: (writer) => encodeWatchCreate(writer, create) },
      {
        message: (message) => this.#onMessage(message),
        draining: () => this.#finish({ kind: 'moving' }),
        ended: (error) => this.#finish({ kind: 'lost', error }),
      },
    );
  }

  /** The reason why the session has ended, once it has. */
  get end(): SessionEnd | undefined {
    return this.#end;
  }

  /** Everything up to it was received. */
  get rev(): Revision {
    return this.#assembler.rev;
  }

  get isFlowing(): boolean {
    return this.#end === undefined && !this.#held && this.#leader === undefined;
  }

  get position(): Revision | undefined {
    return this.#created === undefined || this.#assembler.isInRevision ? undefined : this.#assembler.rev;
  }

  follow(leader: WatchSession): void {
    this.#call.cancel();
    this.#leader = leader;
    leader.#followers.add(this);
  }

  /** The server's confirmation; undefined when the session ended without one. */
  async created(): Promise<WatchResponse | undefined> {
    while (this.#created === undefined && this.#end === undefined) await this.#change();
    return this.#created;
  }

  /** The events received since the last call, once there are some; undefined when the session has ended. */
  async next(): Promise<WatchBatch | undefined> {
    for (;;) {
      const batch = this.#assembler.take();
      if (batch !== undefined) {
        this.#release();
        return batch;
      }
      if (this.#end !== undefined) return undefined;
      await this.#change();
    }
  }

  /** Requests the progress of the stream. The caller bounds the rate. */
  requestProgress(): void {
    if (this.#created !== undefined) this.#call.send(this.#client.message(encodeWatchProgress));
  }

  close(): void {
    this.#finish({ kind: 'moving' });
  }

  #onMessage(message: Buffer): void {
    const response = decodeWatch(message);
    if (response.canceled) {
      this.#finish(
        response.compactRevision > 0
          ? { kind: 'compacted', compactRevision: response.compactRevision }
          : { kind: 'refused', reason: response.cancelReason },
      );
    } else if (response.created) {
      this.#created = response;
    } else {
      this.#take(response, message.length);
      for (const follower of this.#followers) follower.#take(response, message.length);
      if (this.#end === undefined) this.#feed?.received(this);
      return;
    }
    this.#notify();
  }

  #take(response: WatchResponse, bytes: number): void {
    const hasEvents = response.events.length > 0 || response.fragment;
    if (hasEvents) this.#assembler.add(response);
    else this.#assembler.progress(response.revision);
    if (this.#eventsOnly && !this.#assembler.hasEvents) {
      this.#notifyLater();
    } else {
      if (hasEvents) this.#queued(bytes);
      this.#notify();
    }
  }

  #queued(bytes: number): void {
    this.#queuedBytes += bytes;
    if (this.#queuedBytes > MAX_QUEUED_BYTES) this.#hold();
  }

  #notifyLater(): void {
    this.#cancelLater ??= this.#clock.schedule(PROGRESS_DELAY_MS, () => {
      this.#cancelLater = undefined;
      this.#notify();
    });
  }

  /** A session that does not keep up has its own stream, which it can stop. */
  #hold(): void {
    if (this.#leader !== undefined) this.#finish({ kind: 'moving' });
    if (this.#end !== undefined || this.#held) return;
    this.#held = true;
    this.#call.hold();
    this.#dismiss({ kind: 'moving' });
  }

  #release(): void {
    this.#queuedBytes = 0;
    if (!this.#held) return;
    this.#held = false;
    this.#call.release();
  }

  #finish(end: SessionEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#call?.cancel();
    this.#cancelLater?.();
    if (this.#leader !== undefined) this.#leader.#followers.delete(this);
    this.#feed?.ended(this);
    this.#dismiss(end);
    this.#notify();
  }

  #dismiss(end: SessionEnd): void {
    for (const follower of [...this.#followers]) follower.#finish(end);
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
