import type { Clock } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import {
  type Committed,
  ModelStore,
  prefixRange,
  type Revision,
  storeRecordKey,
  type Write,
} from '@orch/storage';
import { History } from './history.ts';
import type { Trace } from './trace.ts';

export const STORE_PREFIX = '/registry/';
const recordKey = storeRecordKey(STORE_PREFIX);

/** The facts about a store in its record that matter here. */
interface StoreFacts {
  readonly state: 'ready' | 'restoring' | 'filling' | 'moving' | 'moved';
  readonly revisionOffset: Revision;
}

const newFacts: StoreFacts = { state: 'ready', revisionOffset: 0 };

/** A store of a simulation. It notes its changes in the history that all stores of the simulation share. */
export class SimulatedStore extends ModelStore {
  readonly name: string;
  readonly history: History;
  readonly #trace: Trace;
  #facts = newFacts;

  constructor(clock: Clock, trace: Trace, { name = 'store', history = new History() } = {}) {
    super({ clock });
    this.name = name;
    this.history = history;
    this.#trace = trace;
  }

  /** The current revision, as clients see it. */
  get revision(): Revision {
    return this.content.rev + this.#facts.revisionOffset;
  }

  /** Whether servers may use it. */
  get isInUse(): boolean {
    return this.#facts.state === 'ready' || this.#facts.state === 'moving';
  }

  override commit(write: Write, signal: AbortSignal): Promise<Committed> {
    const before = this.content.rev;
    const committed = super.commit(write, signal);
    const rev = this.content.rev;
    // The write has taken effect already: no watch can have delivered it before it is noted here.
    if (rev > before) this.#note(write, rev);
    return committed;
  }

  /** Forgets all revisions but some of the last. */
  forget(kept: number): Promise<void> {
    return this.compact(Math.max(1, this.content.rev - kept), new AbortController().signal);
  }

  #note(write: Write, rev: Revision): void {
    const { op, key } = write;
    this.#trace.note(`${this.name}: revision ${rev} is ${op} ${key}`);
    if (key === recordKey) this.#changeFacts(write);
    else if (key.startsWith(STORE_PREFIX)) this.#noteContent(write);
  }

  #noteContent(write: Write): void {
    const { state } = this.#facts;
    if (state === 'moving' || state === 'moved') {
      const when = state === 'moving' ? 'while a migration pauses writes' : 'after its content was moved';
      this.history.failure ??= new Error(`${write.key} is written to ${this.name} ${when}`);
    }
    // A migration copies what the other store has.
    if (state === 'moved' || state === 'filling') return;
    this.history.note(write, this.revision);
  }

  #changeFacts(write: Write): void {
    const before = this.#facts;
    this.#facts = write.op === 'delete' ? newFacts : (parseJson(write.value) as unknown as StoreFacts);
    const { state, revisionOffset } = this.#facts;
    const isOther = before === newFacts || revisionOffset !== before.revisionOffset;
    if (state === 'restoring' && isOther) this.#replaceHistory(revisionOffset);
  }

  /** A restore begins: the content gets other revisions, which clients do not know. */
  #replaceHistory(offset: Revision): void {
    const { history, rev } = this.content;
    const found = [...history.scan(prefixRange(STORE_PREFIX), rev)].sort(
      (a, b) => a.modRevision - b.modRevision,
    );
    const writes = found.map(
      ({ key, value, modRevision }) => [{ op: 'create', key, value }, modRevision + offset] as const,
    );
    this.history.replace(offset + 1, writes as Iterable<readonly [Write, Revision]>);
  }
}
