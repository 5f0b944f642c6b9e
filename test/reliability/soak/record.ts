import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A line of the record of a run. Times are milliseconds of running, pauses between its pieces not counted. */
export type Entry =
  /** A piece begins: all programs start anew, with a new store. */
  | { readonly kind: 'piece'; readonly at: number; readonly date: string }
  | { readonly kind: 'sample'; readonly at: number; readonly series: Readonly<Record<string, number>> }
  /** A fault that is over, and the time until all servers executed writes and controllers worked. */
  | {
      readonly kind: 'fault';
      readonly at: number;
      readonly name: string;
      readonly lastedMs: number;
      readonly recoveredMs: number;
    }
  | { readonly kind: 'violation'; readonly at: number; readonly text: string }
  /** Work that was done since the entry before: writes, events, seeds and others. */
  | { readonly kind: 'work'; readonly at: number; readonly counts: Readonly<Record<string, number>> };

type Noted<E = Entry> = E extends Entry ? Omit<E, 'at'> : never;

/** The record of a run on the disk, which a later piece of the run continues. */
export class RunRecord {
  readonly entries: Entry[];
  readonly #path: string;
  readonly #now: () => number;
  readonly #before: number;
  readonly #started: number;

  /** `now` is a monotonic clock. */
  constructor(path: string, now: () => number) {
    this.#path = path;
    this.#now = now;
    this.#started = now();
    mkdirSync(dirname(path), { recursive: true });
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    // The last line is incomplete if the process was killed while it wrote.
    const complete = text.slice(0, text.lastIndexOf('\n') + 1);
    if (complete.length < text.length) writeFileSync(path, complete);
    this.entries = complete
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Entry);
    this.#before = this.entries.at(-1)?.at ?? 0;
  }

  /** How long the run has run, in all of its pieces. */
  get elapsedMs(): number {
    return this.#before + Math.round(this.#now() - this.#started);
  }

  note(noted: Noted): void {
    const entry = { ...noted, at: this.elapsedMs } as Entry;
    this.entries.push(entry);
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
  }
}
