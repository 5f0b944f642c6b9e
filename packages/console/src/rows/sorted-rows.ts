import type { Cell, Row } from './row.ts';

/** The order and the search of a list. */
export interface Arrangement {
  /** The value to order by; by namespace and name when absent. Rows with equal values are in that order, too. */
  readonly sortKey?: (row: Row) => Cell;
  readonly isDescending: boolean;
  /** All of them must occur in a row, in lower case. */
  readonly words: readonly string[];
}

export const unarranged: Arrangement = { isDescending: false, words: [] };

/** Rows by their keys, and those that match a search in an order. A change costs a binary search and a move of references. */
export class SortedRows {
  readonly #all = new Map<string, Row>();
  #visible: Row[] = [];
  #arrangement = unarranged;

  get size(): number {
    return this.#all.size;
  }

  /** The rows that match, in order. Valid until the next change. */
  get visible(): readonly Row[] {
    return this.#visible;
  }

  has(key: string): boolean {
    return this.#all.has(key);
  }

  /** The place of a row in `visible`; -1 for one that is not there. */
  indexOf(key: string): number {
    const row = this.#all.get(key);
    if (row === undefined) return -1;
    const place = this.#place(row);
    return this.#visible[place] === row ? place : -1;
  }

  arrange(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
    this.#visible = [...this.#all.values()].filter((row) => this.#matches(row)).sort(this.#compare);
  }

  put(row: Row): void {
    this.remove(row.key);
    this.#all.set(row.key, row);
    if (this.#matches(row)) this.#visible.splice(this.#place(row), 0, row);
  }

  remove(key: string): void {
    const place = this.indexOf(key);
    this.#all.delete(key);
    if (place >= 0) this.#visible.splice(place, 1);
  }

  /** Removes all rows but those with these keys. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#all.keys()) if (!keys.has(key)) this.#all.delete(key);
    this.#visible = this.#visible.filter(({ key }) => keys.has(key));
  }

  #matches({ text }: Row): boolean {
    return this.#arrangement.words.every((word) => text.includes(word));
  }

  /** The first place whose row is not before this one. */
  #place(row: Row): number {
    let low = 0;
    let high = this.#visible.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#visible[middle];
      if (other !== undefined && this.#compare(other, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  readonly #compare = (a: Row, b: Row): number => {
    const { sortKey, isDescending } = this.#arrangement;
    const byValue = sortKey === undefined ? 0 : compareCells(sortKey(a), sortKey(b));
    if (byValue !== 0) return isDescending ? -byValue : byValue;
    const byKey =
      a.namespace === b.namespace ? compareTexts(a.name, b.name) : compareTexts(a.namespace, b.namespace);
    return sortKey === undefined && isDescending ? -byKey : byKey;
  };
}

/** Numbers before texts. */
function compareCells(a: Cell, b: Cell): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : compareTexts(a, b);
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
