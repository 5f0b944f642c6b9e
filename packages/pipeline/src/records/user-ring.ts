import type { RequestRecord } from './request-record.ts';

/** The last requests of one user. */
export class UserRing {
  readonly #capacity: number;
  readonly #records: RequestRecord[] = [];
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(record: RequestRecord): void {
    this.#records[this.#next] = record;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  latestFirst(): readonly RequestRecord[] {
    return [...this.#records.slice(this.#next), ...this.#records.slice(0, this.#next)].reverse();
  }
}
