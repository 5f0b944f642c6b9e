import type { Clock, Random } from '@orch/machinery';
import type { KeyRange } from '../../../keys.ts';
import type { KvEvent, Revision } from '../../../store.ts';
import { eventRevision } from '../../../store-values.ts';
import type { EtcdLog } from './etcd-log.ts';
import { type Answerer, readWatchCreate, type WatchAnswer, watchAnswer } from './etcd-messages.ts';
import type { SimulatedCall } from './server-connection.ts';

/** What a watch uses of its member. */
export interface WatchedMember {
  readonly log: EtcdLog;
  readonly clock: Clock;
  readonly random: Random;
  /** What the member has applied. */
  answerer(): Answerer;
}

const GRPC_UNAVAILABLE = 14;
const MAX_DELAY_MS = 4;
const MAX_EVENTS = 20;
const NO_EVENTS_YET = -1;

/** One watch at one member, on a stream of its own, as this client uses it. */
export class EtcdWatch {
  readonly #member: WatchedMember;
  readonly #call: SimulatedCall;
  #range: KeyRange | undefined;
  #start: Revision = 0;
  /** Everything up to it was sent. */
  #sent: Revision = NO_EVENTS_YET;
  #isScheduled = false;
  #progressOwed = false;

  constructor(member: WatchedMember, call: SimulatedCall) {
    this.#member = member;
    this.#call = call;
    call.onMessage = (message) => this.#onMessage(message);
  }

  /** The member has applied more. */
  advance(): void {
    if (this.#isScheduled || this.#range === undefined) return;
    this.#isScheduled = true;
    const { clock, random } = this.#member;
    clock.schedule(random.int(10 * MAX_DELAY_MS) / 10, () => {
      this.#isScheduled = false;
      this.#pump();
    });
  }

  /** The member ends the watch, but not its stream. */
  cancel(): void {
    if (this.#range === undefined) return;
    this.#range = undefined;
    this.#answer({ isCanceled: true, reason: 'the watcher was removed' });
  }

  /** The member has no leader. */
  end(): void {
    this.#call.end(GRPC_UNAVAILABLE, 'etcdserver: no leader');
  }

  #onMessage(message: Buffer): void {
    const create = readWatchCreate(message);
    if (create === undefined) {
      this.#progressOwed = true;
      this.advance();
      return;
    }
    const isAll = create.key === '\0' && create.end === '\0';
    this.#range = isAll ? { start: '', end: '\uffff' } : { start: create.key, end: create.end };
    this.#start = create.start;
    this.#sent = create.start - 1;
    this.#answer({ isCreated: true });
    this.advance();
  }

  #pump(): void {
    const { log } = this.#member;
    const range = this.#range;
    const applied = this.#member.answerer().revision;
    if (range === undefined || !this.#call.isOpen) return;
    const compactRevision = log.compactedAt(applied);
    if (this.#sent + 1 < compactRevision && this.#sent < applied) {
      this.#range = undefined;
      this.#answer({ isCanceled: true, compactRevision });
      return;
    }
    if (this.#sent < applied) this.#sendEvents(range, applied);
    if (this.#sent < applied) this.advance();
    else if (this.#progressOwed) {
      this.#progressOwed = false;
      // An answer without events that is not of the watch's own has the identifier -1, which this client does not read.
      this.#answer({});
    }
  }

  #sendEvents(range: KeyRange, applied: Revision): void {
    const { log } = this.#member;
    const found = log.events(range, this.#sent, { through: applied, limit: MAX_EVENTS });
    this.#sent = found.rev;
    const events = found.events.filter((event) => !this.#isForgotten(event));
    if (events.length > 0) this.#sendFragments(events);
  }

  /** Deletions at the compacted revision itself are missing in a watch that starts there. */
  #isForgotten(event: KvEvent): boolean {
    const compacted = this.#member.log.compactedAt(this.#member.answerer().revision);
    return event.type === 'delete' && eventRevision(event) === compacted && this.#start === compacted;
  }

  #sendFragments(events: readonly KvEvent[]): void {
    const { random } = this.#member;
    for (let at = 0; at < events.length; ) {
      const end = random.int(2) === 0 ? events.length : Math.min(events.length, at + 1 + random.int(3));
      this.#answer({ events: events.slice(at, end), isFragment: end < events.length });
      at = end;
    }
  }

  #answer(answer: WatchAnswer): void {
    this.#call.send(watchAnswer(this.#member.answerer(), answer));
  }
}
