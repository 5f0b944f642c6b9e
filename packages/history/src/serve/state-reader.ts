import type { Turns } from '@orch/machinery/concurrency';
import { JsonSlice } from '@orch/machinery/json';
import type { PastObjects, StoredResource } from '@orch/registry';
import type { ObjectState } from '../read/object-states.ts';
import type { FoundChange } from '../read/recorded-change.ts';

export interface StateReaderOptions {
  readonly past: PastObjects;
  readonly resource: StoredResource;
  readonly signal: AbortSignal;
  /** Maximum number of bytes of states that one request reads. */
  readonly maxBytes: number;
  readonly turns: Turns;
}

/** The reason why a state is unknown. */
export const notes = {
  unrecorded: 'a later change was not recorded',
  unreadable: 'the recorded state cannot be read',
  tooLarge: 'the state before was too large to be recorded',
} as const;

/** The object, or why it cannot be compared. */
export type ParsedState = { readonly object: JsonSlice } | string;

/**
 * Reads states in the version of a request, and counts their bytes. A state that is requested twice in a row is parsed
 * once: changes that are read from newest to oldest share the states between them.
 */
export class StateReader {
  readonly #options: StateReaderOptions;
  #last: { readonly state: ObjectState; readonly parsed: ParsedState } | undefined;
  #bytes = 0;

  constructor(options: StateReaderOptions) {
    this.#options = options;
  }

  /** For the work on its states. */
  get turns(): Turns {
    return this.#options.turns;
  }

  get resource(): StoredResource {
    return this.#options.resource;
  }

  /** The request has read its maximum. */
  get isSpent(): boolean {
    return this.#bytes >= this.#options.maxBytes;
  }

  /** Counts bytes that were read elsewhere. */
  spend(bytes: number): void {
    this.#bytes += bytes;
  }

  async parsed(change: Pick<FoundChange, 'object'>, state: ObjectState): Promise<ParsedState> {
    if (state.kind !== 'present') return notes[state.kind === 'unknown' ? state.why : 'unrecorded'];
    if (this.#last?.state === state) return this.#last.parsed;
    const parsed = await this.#parse(change.object, state);
    this.#last = { state, parsed };
    return parsed;
  }

  async #parse(
    key: string,
    { rev, stored }: ObjectState & { readonly kind: 'present' },
  ): Promise<ParsedState> {
    const { past, resource, signal } = this.#options;
    this.#bytes += stored.length;
    try {
      return { object: JsonSlice.of(await past.jsonOf(resource, { key, rev, stored }, signal)) };
    } catch {
      signal.throwIfAborted();
      return notes.unreadable;
    }
  }
}
