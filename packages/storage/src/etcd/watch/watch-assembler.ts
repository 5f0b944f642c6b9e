import type { KeyRange } from '../../keys.ts';
import { inRange } from '../../keys.ts';
import type { KvEvent, Revision, WatchBatch } from '../../store.ts';
import type { WatchResponse, WireEvent } from '../proto/watch.ts';

/**
 * Assembles batches from watch answers: events up to the last delivered revision are dropped, fragments are joined so
 * that one revision is never split, keys outside of the range are filtered while their revisions count as progress.
 */
export class WatchAssembler {
  readonly #range: KeyRange;
  /** Everything up to it was received completely. */
  #rev: Revision;
  #taken: Revision;
  #events: KvEvent[] = [];
  /** Events of the last revision of a fragment: more events of it may follow. */
  #open: KvEvent[] = [];
  #openRev: Revision = 0;

  constructor(range: KeyRange, after: Revision) {
    this.#range = range;
    this.#rev = after;
    this.#taken = after;
  }

  /** Everything up to it was received completely. */
  get rev(): Revision {
    return this.#rev;
  }

  /** Some of the events of the next revision were received. */
  get isInRevision(): boolean {
    return this.#openRev !== 0;
  }

  /** There are events that `take` has not returned. */
  get hasEvents(): boolean {
    return this.#events.length > 0 || this.#open.length > 0;
  }

  /** Adds the events of an answer. */
  add(response: WatchResponse): void {
    for (const event of response.events) {
      const { modRevision } = event.kv;
      // A resumed watch starts after the delivered events; older ones would be an error of the server.
      if (modRevision <= this.#rev) continue;
      if (modRevision < this.#openRev) throw new Error(`event ${modRevision} after event ${this.#openRev}`);
      if (modRevision !== this.#openRev) this.#closeRevision();
      this.#openRev = modRevision;
      if (inRange(this.#range, event.kv.key)) this.#open.push(toKvEvent(event));
    }
    if (!response.fragment) this.#closeRevision();
  }

  /** The server reports that the events of the range are complete up to `rev`. */
  progress(rev: Revision): void {
    if (this.#openRev === 0 && rev > this.#rev) this.#rev = rev;
  }

  /** The events completed since the last call. */
  take(): WatchBatch | undefined {
    if (this.#rev === this.#taken) return undefined;
    const batch = { rev: this.#rev, events: this.#events };
    this.#taken = this.#rev;
    this.#events = [];
    return batch;
  }

  #closeRevision(): void {
    if (this.#openRev === 0) return;
    for (const event of this.#open) this.#events.push(event);
    this.#rev = this.#openRev;
    this.#openRev = 0;
    this.#open = [];
  }
}

function toKvEvent({ type, kv }: WireEvent): KvEvent {
  return type === 'put' ? { type, kv } : { type, key: kv.key, modRevision: kv.modRevision };
}
