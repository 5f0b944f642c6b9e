/** Keys `start <= key < end`, in bytewise order. Keys are ASCII or UTF-8 strings compared by their bytes. */
export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

/** The keys of a watch. */
export interface WatchRange extends KeyRange {
  /**
   * The watcher uses only events: a batch without any, which reports a revision, may be delivered some seconds late. A store
   * with many writes beside the range otherwise wakes the watcher at each of them.
   */
  readonly eventsOnly?: boolean;
}

/** No key is above the last code point. */
export const EVERY_KEY: KeyRange = { start: '', end: '\u{10ffff}' };

const FIRST_SURROGATE = 0xd800;
const FIRST_AFTER_SURROGATES = 0xe000;
const LAST_CODE_POINT = 0x10ffff;

/**
 * Orders keys by their UTF-8 bytes, as every backend does. JavaScript's `<` compares UTF-16 units, which puts
 * code points above U+FFFF before U+E000.
 */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return byteRank(x) - byteRank(y);
  }
  return a.length - b.length;
}

/** Orders surrogates after all other UTF-16 units: they encode the highest code points. */
function byteRank(unit: number): number {
  return unit >= FIRST_SURROGATE && unit < FIRST_AFTER_SURROGATES ? unit + 0x10000 : unit;
}

export function inRange(range: KeyRange, key: string): boolean {
  return compareKeys(key, range.start) >= 0 && compareKeys(key, range.end) < 0;
}

/** The key that follows `key` immediately: the start of the page after one that ended with `key`. */
export function keyAfter(key: string): string {
  return `${key}\0`;
}

/** Index of the first element of the sorted `keys` that is not below `key`. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(keys[middle] ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The prefix of the keys of the history, for keys that begin with `prefix`: beside them, so that it is neither watched
 * nor in a backup. The rest is the key of an object below `prefix`, and what distinguishes the changes of that object.
 * /
 */
export const historyPrefixOf = (prefix: string): string => besideOf(prefix, 'history/');

/** The key by which servers elect the one that compacts the store, for keys that begin with `prefix`: beside them, as the history. */
export const compactionKeyOf = (prefix: string): string => besideOf(prefix, 'compaction');

/**
 * The key of the record of resources that are not in the main store, for keys that begin with `prefix`: beside them, because it
 * is about these stores and not about their content.
 */
export const placementKeyOf = (prefix: string): string => besideOf(prefix, 'resource-stores');

/**
 * The ranges of keys that servers write beside those that begin with `prefix`, the record of the store excepted. They
 * belong to the revisions of one store: a migration does not copy them.
 */
export const besideRanges = (prefix: string): readonly KeyRange[] => [
  prefixRange(besideOf(prefix, 'history')),
  { start: compactionKeyOf(prefix), end: keyAfter(compactionKeyOf(prefix)) },
];

const besideOf = (prefix: string, name: string): string => `${prefix.replace(/\/$/, '')}~${name}`;

/** The range of all keys that begin with `prefix`; for the empty prefix, of all keys below U+10FFFF. */
export function prefixRange(prefix: string): KeyRange {
  const points = Array.from(prefix);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0;
    // A code point without a successor is dropped: the range then ends after all keys with the shorter prefix.
    if (point < LAST_CODE_POINT) return { start: prefix, end: points.join('') + successor(point) };
  }
  return { start: prefix, end: String.fromCodePoint(LAST_CODE_POINT) };
}

function successor(point: number): string {
  const next = point + 1;
  return String.fromCodePoint(next === FIRST_SURROGATE ? FIRST_AFTER_SURROGATES : next);
}
