import {
  type Followed,
  type FollowOptions,
  type FollowSource,
  follow,
  type Table,
  type TableColumn,
  type TableEvent,
} from '@orch/client';
import { rowOf } from './row.ts';
import { SortedRows } from './sorted-rows.ts';

/** Whether a list shows the present state of the server. */
export type Freshness =
  /** The first list is being read. */
  | { readonly phase: 'loading' }
  | { readonly phase: 'live' }
  /** The connection is lost, or the server refuses for now: what is shown was true until `sinceMs`. */
  | { readonly phase: 'stale'; readonly sinceMs: number; readonly problem: unknown }
  /** Another attempt cannot help. */
  | { readonly phase: 'failed'; readonly problem: unknown };

/** Rows of a list in memory; further ones are counted as missing. */
const MAX_ROWS = 100_000;

export interface LiveRowsOptions {
  readonly source: (onOpen: () => void) => FollowSource<Table, TableEvent>;
  readonly env: FollowOptions['env'];
  /** Called after each change of rows, columns or freshness. */
  readonly onChange: () => void;
}

/** The rows of a selection, kept up to date by a watch until the signal of `run` aborts. */
export class LiveRows {
  readonly rows = new SortedRows();
  columns: readonly TableColumn[] = [];
  freshness: Freshness = { phase: 'loading' };
  /** Whether the list has more rows than this page keeps. */
  isTruncated = false;
  readonly #options: LiveRowsOptions;
  /** The keys of a state that is being read again: the others disappear when it is complete. */
  #listed: Set<string> | undefined;

  constructor(options: LiveRowsOptions) {
    this.#options = options;
  }

  /** Never rejects: a final failure is the freshness. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, env, onChange } = this.#options;
    const options = { env, retriesFirst: true, onFailure: (problem: unknown) => this.#onFailure(problem) };
    try {
      for await (const step of follow(
        source(() => this.#onOpen()),
        options,
        signal,
      )) {
        this.#take(step);
        onChange();
      }
    } catch (problem) {
      if (signal.aborted) return;
      this.freshness = { phase: 'failed', problem };
      onChange();
    }
  }

  #onOpen(): void {
    if (this.freshness.phase === 'live') return;
    this.freshness = { phase: 'live' };
    this.#options.onChange();
  }

  #onFailure(problem: unknown): void {
    this.#listed = undefined;
    const { freshness } = this;
    const sinceMs = freshness.phase === 'stale' ? freshness.sinceMs : this.#options.env.clock.now();
    this.freshness = { phase: 'stale', sinceMs, problem };
    this.#options.onChange();
  }

  #take(step: Followed<Table, TableEvent>): void {
    if (step.type === 'page') this.#takePage(step.page);
    else this.#takeEvent(step.event);
  }

  #takeEvent({ type, table }: TableEvent): void {
    if (type === 'BOOKMARK') return;
    this.#takeColumns(table);
    for (const each of table.rows) {
      const row = rowOf(each);
      if (row === undefined) continue;
      if (type === 'DELETED') this.rows.remove(row.key);
      else this.#put(row);
    }
  }

  #takePage(page: Table): void {
    this.#listed ??= new Set();
    this.#takeColumns(page);
    for (const each of page.rows) {
      const row = rowOf(each);
      if (row === undefined) continue;
      this.#put(row);
      // Keys of objects beyond the bound are not remembered either.
      if (this.rows.has(row.key)) this.#listed.add(row.key);
    }
    if (page.continue !== '') return;
    this.rows.retain(this.#listed);
    this.#listed = undefined;
    this.freshness = { phase: 'live' };
  }

  #put(row: NonNullable<ReturnType<typeof rowOf>>): void {
    if (this.rows.size >= MAX_ROWS && !this.rows.has(row.key)) this.isTruncated = true;
    else this.rows.put(row);
  }

  #takeColumns({ columns }: Table): void {
    if (columns.length > 0) this.columns = columns;
  }
}
