import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareKeys, prefixRange } from '../../keys.ts';
import { RangeCursor } from './range-cursor.ts';

interface Walk {
  readonly read: readonly string[];
  readonly requests: number;
  /** Number of keys that etcd had to count for all requests together. */
  readonly counted: number;
}

/** Reads sorted keys through a cursor, as etcd would answer. */
function walk(keys: readonly string[], range: { start: string; end: string }, limit: number): Walk {
  const cursor = new RangeCursor(range);
  const read: string[] = [];
  let counted = 0;
  for (let requests = 1; ; requests++) {
    const { start, bound } = cursor;
    assert.ok(compareKeys(bound, range.end) <= 0, 'a request goes past the end of the range');
    const from = lowerBound(keys, start);
    const count = lowerBound(keys, bound) - from;
    counted += count;
    const page = keys.slice(from, from + Math.min(limit, count)).map((key) => ({ key }));
    read.push(...page.map(({ key }) => key));
    if (!cursor.advance({ keys: page, count, limit })) return { read, requests, counted };
    assert.ok(compareKeys(cursor.start, start) > 0, `no progress at ${start}`);
  }
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(keys[middle] ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const sorted = (keys: Iterable<string>): string[] => [...new Set(keys)].sort(compareKeys);
const padded = (n: number): string => String(n).padStart(6, '0');
/** The digits of hashed names: distributed, and equal in every run. */
const hashed = (n: number): string =>
  Math.imul(n + 1, 0x9e3779b1)
    .toString(36)
    .replace('-', 'z');

const distributions: readonly (readonly [name: string, key: (n: number) => string])[] = [
  ['counted up in one resource', (n) => `/r/pods/default/pod-${padded(n)}`],
  ['with random names', (n) => `/r/pods/default/web-${hashed(n)}`],
  ['in a namespace for every ten', (n) => `/r/pods/team-${padded(Math.floor(n / 10))}/web-${hashed(n)}`],
  ['in a namespace for every one', (n) => `/r/secrets/ns-${hashed(n)}/token`],
  [
    'in one large and many small resources',
    (n) => (n % 10 === 0 ? `/r/kind-${n % 1000}/ns/o-${hashed(n)}` : `/r/pods/ns/pod-${padded(n)}`),
  ],
];

describe('the cursor of a scan', () => {
  for (const [name, key] of distributions) {
    it(`the cursor of a scan makes etcd count a constant number of keys for every key read, with keys ${name}`, () => {
      const perKey = [5_000, 40_000].map((count) => {
        const keys = sorted(Array.from({ length: count }, (_, n) => key(n)));
        const { read, requests, counted } = walk(keys, prefixRange('/r/'), 250);
        assert.deepEqual(read, keys);
        assert.ok(requests <= 3 * (keys.length / 250) + 30, `${requests} requests for ${keys.length} keys`);
        return counted / keys.length;
      });
      for (const each of perKey) assert.ok(each <= 12, `${perKey} keys were counted for each key read`);
    });
  }

  it('a range cursor reads every key once and in order, for any keys, range and limit', () => {
    const letter = fc.constantFrom('a', 'b', '/', '-', '0', '9', 'é', '\u{1f600}', '\u{1f601}', '￿', '\0');
    const name = fc.array(letter, { minLength: 1, maxLength: 6 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 80 }),
        fc.tuple(name, name),
        fc.integer({ min: 1, max: 9 }),
        (names, [one, other], limit) => {
          const [start = '', end = ''] = sorted([one, other, `${other}z`]);
          // A count that is too large makes the cursor divide the range at every answer.
          const keys = sorted(names).filter(
            (key) => compareKeys(key, start) >= 0 && compareKeys(key, end) < 0,
          );
          const cursor = new RangeCursor({ start, end });
          const read: string[] = [];
          for (let more = true; more; ) {
            const piece = keys.slice(lowerBound(keys, cursor.start), lowerBound(keys, cursor.bound));
            const page = piece.slice(0, limit).map((key) => ({ key }));
            read.push(...page.map(({ key }) => key));
            const count = piece.length > limit ? piece.length + 1_000_000 : piece.length;
            more = cursor.advance({ keys: page, count, limit });
          }
          assert.deepEqual(read, keys);
        },
      ),
    );
  });
});
