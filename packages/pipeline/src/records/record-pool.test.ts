import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RequestRecord } from './request-record.ts';
import { RecordPool } from './request-records.ts';

const limits = { records: 7, recordsOfUser: 2 };
const users = ['a', 'b', 'c', 'd', 'e'];

const recordNumber = (code: number): RequestRecord => ({
  id: '',
  receivedAt: 0,
  durationMs: 0,
  code,
  method: 'GET',
  target: '/',
  isTargetCut: false,
  info: { isResource: false, verb: 'get', path: '/' },
  userAgent: '',
  user: { name: '', uid: '' },
  timing: { authentication: 0, authorization: 0, queued: 0 },
  steps: [],
});

/** The records that remain, by user, after one record for each of these users in turn. */
function expectedRecords(turns: readonly string[]): ReadonlyMap<string, readonly number[]> {
  /** In the order in which the number of their records has changed, or a record was replaced. */
  let kept: { readonly user: string; readonly codes: readonly number[] }[] = [];
  const put = (user: string, codes: readonly number[]): void => {
    kept = [...kept.filter((other) => other.user !== user), ...(codes.length > 0 ? [{ user, codes }] : [])];
  };
  turns.forEach((user, code) => {
    const codes = kept.find((other) => other.user === user)?.codes ?? [];
    put(user, [...codes, code].slice(-limits.recordsOfUser));
    if (kept.flatMap((one) => one.codes).length <= limits.records) return;
    const most = Math.max(...kept.map((one) => one.codes.length));
    const loser = kept.find((one) => one.codes.length === most);
    if (loser !== undefined) put(loser.user, loser.codes.slice(1));
  });
  return new Map(kept.map(({ user, codes }) => [user, codes]));
}

describe('a pool of records', () => {
  it('the user with the most records who was active least recently loses a record, in every order of requests', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...users), { minLength: 30, maxLength: 60 }), (turns) => {
        const pool = new RecordPool(limits);
        turns.forEach((user, code) => {
          pool.add(user, recordNumber(code));
        });
        const expected = expectedRecords(turns);
        for (const user of users)
          assert.deepEqual(
            pool.of(user).map(({ code }) => code),
            expected.get(user) ?? [],
          );
      }),
    );
  });
});
