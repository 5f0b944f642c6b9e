import type { Revision } from '@orch/storage';
import type { StoredObject } from '../objects/stored-object.ts';
import type { State } from '../resource/resource-state.ts';

const CHUNK = 512;

/** Compares a snapshot of a resource with the keys and revisions that the store lists, both in key order. */
export class StateComparison {
  readonly #objects: Iterator<StoredObject>;
  readonly #differing: string[] = [];
  #next: StoredObject | undefined;
  #compared = 0;

  constructor(state: State) {
    this.#objects = objectsOf(state);
    this.#advance();
  }

  get compared(): number {
    return this.#compared;
  }

  /** Adds the next key of the store, and the revision of its value. */
  add(key: string, rev: Revision): void {
    this.#compared++;
    while (this.#next !== undefined && this.#next.compareKey(key) < 0) {
      this.#differing.push(this.#next.key);
      this.#advance();
    }
    if (this.#next?.hasKey(key) !== true) {
      this.#differing.push(key);
      return;
    }
    if (this.#next.rev !== rev) this.#differing.push(key);
    this.#advance();
  }

  /** The keys that differ. To be called after the store's last key was added. */
  finish(): readonly string[] {
    while (this.#next !== undefined) {
      this.#differing.push(this.#next.key);
      this.#advance();
    }
    return this.#differing;
  }

  #advance(): void {
    const next = this.#objects.next();
    this.#next = next.done === true ? undefined : next.value;
  }
}

function* objectsOf(state: State): Generator<StoredObject, undefined> {
  let chunk = state.collect('', undefined, CHUNK);
  while (chunk.length > 0) {
    yield* chunk;
    chunk = state.collect('', chunk.at(-1)?.key, CHUNK);
  }
}
