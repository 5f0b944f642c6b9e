import type { KeyRange } from './keys.ts';
import { keyAfter } from './keys.ts';
import type { KeyValue, Revision, ScanPart } from './store.ts';
import type { Ttls } from './ttls.ts';

/** A part of a range, and whether keys follow it. */
export interface PartRead {
  readonly rev: Revision;
  readonly items: readonly KeyValue[];
  readonly more: boolean;
  readonly ttls?: Ttls | undefined;
}

/** Scans by reading one part after the other, each on demand; the first one determines the revision. */
export async function* scanPages(
  range: KeyRange,
  at: Revision | undefined,
  read: (range: KeyRange, at: Revision | undefined) => Promise<PartRead>,
): AsyncGenerator<ScanPart> {
  let part = await read(range, at);
  for (;;) {
    const { rev, items, more, ttls } = part;
    yield ttls === undefined ? { rev, items } : { rev, items, ttls };
    const last = items.at(-1);
    if (!more || last === undefined) return;
    part = await read({ start: keyAfter(last.key), end: range.end }, rev);
  }
}
