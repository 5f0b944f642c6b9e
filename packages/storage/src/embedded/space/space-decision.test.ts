import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideSpace, type Space, type SpaceDecision } from './space-decision.ts';

const RESERVE = 1600;
const open = { isFull: false, incoming: 100 };
const full = { isFull: true, incoming: 0 };
const refused: SpaceDecision = { isFull: true, isScarce: true, hold: 0 };
const unlimited = Number.POSITIVE_INFINITY;

interface Case {
  readonly title: string;
  readonly space: Space;
  readonly now: typeof open;
  readonly expected: SpaceDecision;
}

const cases: readonly Case[] = [
  {
    title: 'a store with enough disk space keeps its whole reserve in the file',
    space: { disk: 100_000, within: 0, growth: unlimited },
    now: open,
    expected: { isFull: false, isScarce: false, hold: 1600 },
  },
  {
    title: 'the log is limited when the disk has less than twice the reserve',
    space: { disk: 3199, within: 100_000, growth: unlimited },
    now: open,
    expected: { isFull: false, isScarce: true, hold: 1600 },
  },
  {
    title: 'a write that leaves exactly the reserve is accepted',
    space: { disk: 1700, within: 0, growth: unlimited },
    now: open,
    expected: { isFull: false, isScarce: true, hold: 1600 },
  },
  {
    title: 'a write that would use the reserve makes the store full',
    space: { disk: 1699, within: 0, growth: unlimited },
    now: open,
    expected: refused,
  },
  {
    title:
      'free pages of the database count as space, and a quarter of the reserve stays on the disk for the log',
    space: { disk: 900, within: 1000, growth: unlimited },
    now: open,
    expected: { isFull: false, isScarce: true, hold: 400 },
  },
  {
    title: 'a disk with less than a quarter of the reserve reserves all of it',
    space: { disk: 30, within: 5000, growth: unlimited },
    now: open,
    expected: { isFull: false, isScarce: true, hold: 30 },
  },
  {
    title: 'free pages do not count as space when the disk lacks space for the log',
    space: { disk: -1, within: 100_000, growth: unlimited },
    now: open,
    expected: refused,
  },
  {
    title: 'a full store stays full below one and a half times its reserve',
    space: { disk: 2399, within: 0, growth: unlimited },
    now: full,
    expected: refused,
  },
  {
    title: 'a full store accepts writes again with one and a half times its reserve on the disk',
    space: { disk: 2400, within: 0, growth: unlimited },
    now: full,
    expected: { isFull: false, isScarce: true, hold: 1600 },
  },
  {
    title: 'a full store accepts writes again when free pages and disk space together suffice',
    space: { disk: 100, within: 2300, growth: unlimited },
    now: full,
    expected: { isFull: false, isScarce: true, hold: 100 },
  },
  {
    title: 'disk space beyond the size limit of the database does not count',
    space: { disk: 100_000, within: 0, growth: 1699 },
    now: open,
    expected: refused,
  },
  {
    title: 'free pages count as space for a database that has reached its size limit',
    space: { disk: 100_000, within: 3000, growth: 0 },
    now: full,
    expected: { isFull: false, isScarce: true, hold: 400 },
  },
];

describe('decideSpace about a write', () => {
  for (const { title, space, now, expected } of cases)
    it(title, () => assert.deepEqual(decideSpace(space, RESERVE, now), expected));

  it('decideSpace keeps a store writable right after it has become writable', () => {
    const space = { disk: 1000, within: 1400, growth: unlimited };
    assert.equal(decideSpace(space, RESERVE, full).isFull, false);
    assert.equal(decideSpace(space, RESERVE, { isFull: false, incoming: 0 }).isFull, false);
  });
});
