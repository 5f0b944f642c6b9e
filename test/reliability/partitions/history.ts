import assert from 'node:assert/strict';

/** The outcome of a write as the client knows it. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** An item to be added to the list of an object, under a unique identifier. */
interface Addition {
  readonly id: string;
  outcome: Outcome;
}

/** The knowledge of clients at one moment, which later reads must reflect. */
export interface Floor {
  readonly revision: number;
  readonly items: readonly string[];
}

/** Writes and reads of all clients, with their results. Every object is a list that items are added to. */
export class History {
  readonly #additions = new Map<string, Addition[]>();
  readonly #revisions = new Map<string, number>();
  #newest = 0;
  reads = 0;

  /** A write begins; its outcome is unknown until the returned function is called. */
  adding(name: string, id: string): (outcome: Outcome, revision?: number) => void {
    const addition: Addition = { id, outcome: 'unknown' };
    const all = this.#additions.get(name) ?? [];
    this.#additions.set(name, [...all, addition]);
    return (outcome, revision = 0) => {
      addition.outcome = outcome;
      if (outcome === 'acknowledged') this.#seen(name, revision);
    };
  }

  /** The minimum content of a read of the object that begins now. */
  floor(name: string): Floor {
    const items = (this.#additions.get(name) ?? []).filter(({ outcome }) => outcome === 'acknowledged');
    return { revision: this.#revisions.get(name) ?? 0, items: items.map(({ id }) => id) };
  }

  /** The minimum revision of a list that begins now. */
  get newest(): number {
    return this.#newest;
  }

  /** Checks the answer to a read that began at `floor`. */
  read(
    name: string,
    floor: Floor,
    answer: { readonly revision: number; readonly items: readonly string[] },
  ): void {
    this.reads += 1;
    const story = `a read of ${name} after revision ${floor.revision} was answered with ${answer.revision}`;
    assert.ok(answer.revision >= floor.revision, story);
    const items = new Set(answer.items);
    for (const id of floor.items) assert.ok(items.has(id), `${story}, without ${id}`);
    this.#seen(name, answer.revision);
  }

  listed(floor: number, revision: number): void {
    this.reads += 1;
    assert.ok(revision >= floor, `a list after revision ${floor} was answered at ${revision}`);
    this.#newest = Math.max(this.#newest, revision);
  }

  /** Checks the final state of an object: acknowledged items once, refused ones not at all, unknown ones at most once. */
  check(name: string, items: readonly string[]): void {
    const additions = this.#additions.get(name) ?? [];
    for (const { id, outcome } of additions) {
      const times = items.filter((item) => item === id).length;
      const story = `${id}, ${outcome}, is in ${name} ${times} times`;
      if (outcome === 'acknowledged') assert.equal(times, 1, story);
      else assert.ok(times <= (outcome === 'refused' ? 0 : 1), story);
    }
    const known = new Set(additions.map(({ id }) => id));
    for (const item of items) assert.ok(known.has(item), `${item} is in ${name} and was never added`);
  }

  /** The number of writes by outcome. */
  counts(): Record<Outcome, number> {
    const counts = { acknowledged: 0, refused: 0, unknown: 0 };
    for (const { outcome } of [...this.#additions.values()].flat()) counts[outcome] += 1;
    return counts;
  }

  #seen(name: string, revision: number): void {
    this.#revisions.set(name, Math.max(this.#revisions.get(name) ?? 0, revision));
    this.#newest = Math.max(this.#newest, revision);
  }
}
