import { type Clock, type Logger, messageOf } from '@orch/machinery';
import type { KvEvent } from '../store.ts';
import type { Reader } from './database/reader.ts';
import { ExpiryTimer } from './expiry-timer.ts';
import { SpaceState } from './space/space-state.ts';
import type { WriterLink } from './writer/sent-requests.ts';

export interface UpkeepOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly reader: Reader;
  readonly writer: Pick<WriterLink, 'send'>;
  /** Called with the deletions of expired keys. */
  readonly expired: (events: readonly KvEvent[]) => void;
  /** Compacts all history. */
  readonly compact: () => Promise<void>;
}

/** Maximum number of keys expired in one transaction. */
const EXPIRE_LIMIT = 500;

/** Delay before a failed expiry is retried. */
const EXPIRE_RETRY_MS = 1000;

/** The work of the thread that has opened the store, for all threads: expires keys, and frees space of a full store. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #expiry: ExpiryTimer;
  readonly #space: SpaceState;
  #isStopped = false;

  constructor(options: UpkeepOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#expiry = new ExpiryTimer(clock, () => void this.#expire());
    this.#space = new SpaceState({ clock, log, makeRoom: () => this.#makeRoom() });
  }

  /** A key expires at this time, in epoch milliseconds. */
  expiresAt(at: number): void {
    this.#expiry.noLaterThan(at);
  }

  /** The store was opened: looks for keys that expire. */
  opened(): void {
    try {
      this.#expiry.noLaterThan(this.#options.reader.nextExpiry());
    } catch (error) {
      this.#warn('looking for keys to expire', error);
    }
  }

  spaceChanged(isFull: boolean): void {
    this.#space.changed(isFull);
  }

  stop(): void {
    this.#isStopped = true;
    this.#expiry.stop();
    this.#space.stop();
  }

  async #makeRoom(): Promise<void> {
    try {
      await this.#options.compact();
      await this.#options.writer.send({ type: 'checkSpace' });
    } catch (error) {
      if (!this.#isStopped) this.#warn('making room', error);
    }
  }

  async #expire(): Promise<void> {
    const { clock, writer, expired } = this.#options;
    const now = clock.now();
    try {
      const answer = await writer.send({ type: 'expire', now, limit: EXPIRE_LIMIT });
      if (answer.type !== 'expired') return;
      const { keys, firstRev, next } = answer;
      expired(keys.map((key, i) => ({ type: 'delete', key, modRevision: firstRev + i })));
      this.#expiry.noLaterThan(next);
    } catch (error) {
      if (this.#isStopped) return;
      this.#warn('expiring keys', error);
      this.#expiry.noLaterThan(now + EXPIRE_RETRY_MS);
    }
  }

  #warn(doing: string, error: unknown): void {
    this.#options.log.warn('embedded store', { doing, message: messageOf(error) });
  }
}
