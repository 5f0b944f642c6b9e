import type { Revision } from '@orch/storage';
import type { FoundChange } from '../read/recorded-change.ts';

/** Revisions after `after`, up to and including `last`. */
export interface RevisionSpan {
  readonly after: Revision;
  readonly last: Revision;
}

/** The position of a number of bytes, counted from the newest change. */
export interface SizeBoundary {
  /** The changes after these revisions have at most that many bytes; with those of the revisions, more. */
  readonly span: RevisionSpan;
  /** Size of the changes after the span. */
  readonly newerBytes: number;
}

const PARTS = 8192;

/**
 * The approximate number of bytes written in the revisions of a span, and after it. Needs no clock, and bounded memory.
 */
export class SizeByRevision {
  readonly #span: RevisionSpan;
  readonly #step: number;
  readonly #bytes = new Float64Array(PARTS);
  #newer = 0;
  /** Size of all changes that were added. */
  total = 0;

  constructor(span: RevisionSpan) {
    this.#span = span;
    this.#step = Math.max(1, Math.ceil((span.last - span.after) / PARTS));
  }

  add({ revision, bytes }: Pick<FoundChange, 'revision' | 'bytes'>): void {
    this.total += bytes;
    const { after, last } = this.#span;
    if (revision > last) this.#newer += bytes;
    else if (revision > after) {
      const part = Math.floor((revision - after - 1) / this.#step);
      this.#bytes[part] = (this.#bytes[part] ?? 0) + bytes;
    }
  }

  /** Undefined when no more than `maxBytes` were written in the span and after it. */
  boundary(maxBytes: number): SizeBoundary | undefined {
    const { after, last } = this.#span;
    let newerBytes = this.#newer;
    for (let part = PARTS - 1; part >= 0; part--) {
      const bytes = this.#bytes[part] ?? 0;
      if (newerBytes + bytes > maxBytes) {
        const from = after + part * this.#step;
        return { span: { after: from, last: Math.min(last, from + this.#step) }, newerBytes };
      }
      newerBytes += bytes;
    }
    return undefined;
  }
}
