import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiRequest, parseHistoryInfo, parseRequestInfo } from '@orch/request';
import { widthOf } from './width.ts';

const OBJECTS = 350;
/** A large object, and the mean of all. */
const LARGE = 450_000;
const MEAN = 3000;
const counts = {
  countObjects: () => OBJECTS,
  countWatchers: () => 0,
  countAnswer: () => 0,
  countBytes: ({ name }: { readonly name: string }) =>
    name === '' ? OBJECTS * MEAN : name === 'large' ? LARGE : MEAN,
};

type Sent = Partial<Pick<ApiRequest, 'method' | 'bodyLength'>> & { readonly contentType?: string };

function seatsOf(target: string, sent: Sent = {}, more: Partial<typeof counts> = {}): number {
  const [path = '', rawQuery = ''] = target.split('?');
  const { method = 'GET', contentType } = sent;
  const line = { method, rawPath: path, rawQuery, contentType };
  const info = path.startsWith('/history/') ? parseHistoryInfo(line) : parseRequestInfo(line);
  const request = { rawQuery, headers: {}, bodyLength: 'bodyLength' in sent ? sent.bodyLength : 0 };
  return widthOf({ info, request }, { ...counts, ...more }, { observe: () => undefined });
}

const maps = '/api/v1/namespaces/n/configmaps';

describe('the seats of a read', () => {
  for (const [target, seats] of [
    [`${maps}/a`, 1],
    [`${maps}/large`, 5],
    [`${maps}/large/status`, 5],
    [maps, 4],
    [`${maps}?limit=150`, 2],
    [`${maps}?limit=150&labelSelector=a%3Db`, 4],
    [`${maps}?limit=1&fieldSelector=metadata.name!%3Da`, 4],
    [`${maps}?limit=1&fieldSelector=metadata.name%3Da`, 1],
    [`${maps}?limit=150&labelSelector=`, 2],
    [`${maps}?limit=150&resourceVersion=7&resourceVersionMatch=Exact`, 3],
    [`${maps}?resourceVersion=7&resourceVersionMatch=Exact`, 7],
    [`/history${maps}/a`, 2],
    [`/history${maps}/a?limit=1`, 1],
    [`/history${maps}/a?limit=300`, 6],
    [`/history${maps}/a?limit=100000`, 10],
    [`/history${maps}/large?limit=3`, 6],
    [`/history${maps}/a?at=5`, 1],
    [`/history${maps}/a?at=`, 2],
    [`/history${maps}?limit=1`, 4],
    [`/history${maps}`, 6],
    [`/history${maps}?at=5&limit=1`, 4],
  ] as const)
    it(`a read takes ${seats} seats for ${target}, where the collection has 350 objects`, () =>
      assert.equal(seatsOf(target), seats));
});

it('a large answer at a path that is not one of a resource takes a seat for each 500 KB', () => {
  const answering = (bytes: number): number => seatsOf('/openapi/v2', {}, { countAnswer: () => bytes });
  assert.deepEqual([0, 500_000, 1_200_000, 1e9].map(answering), [1, 1, 3, 10]);
});

const merge = 'application/merge-patch+json';

describe('the seats of a write', () => {
  for (const [what, target, sent, seats] of [
    ['a small creation', maps, { method: 'POST', bodyLength: 20_000 }, 1],
    ['a creation of 250 KB', maps, { method: 'POST', bodyLength: 250_000 }, 3],
    ['a dry run of 250 KB', `${maps}?dryRun=All`, { method: 'POST', bodyLength: 250_000 }, 3],
    ['an update of 3 MB', `${maps}/large`, { method: 'PUT', bodyLength: 3_000_000 }, 10],
    ['a body of unknown length', maps, { method: 'POST', bodyLength: undefined }, 10],
    ['a small update', `${maps}/large`, { method: 'PUT', bodyLength: 20 }, 5],
    ['a small update of a status', `${maps}/large/status`, { method: 'PUT', bodyLength: 20 }, 5],
    ['a small patch', `${maps}/large`, { method: 'PATCH', bodyLength: 20, contentType: merge }, 5],
    ['a large patch', `${maps}/large`, { method: 'PATCH', bodyLength: 800_000, contentType: merge }, 8],
    [
      'a small apply',
      `${maps}/large`,
      { method: 'PATCH', bodyLength: 20, contentType: 'application/apply-patch+yaml' },
      5,
    ],
    ['a deletion', `${maps}/large`, { method: 'DELETE', bodyLength: 0 }, 5],
    ['a dry run of a deletion', `${maps}/large?dryRun=All`, { method: 'DELETE', bodyLength: 0 }, 5],
    ['a large body to a path without a resource', '/version', { method: 'POST', bodyLength: 950_000 }, 10],
  ] as const)
    it(`a write takes ${seats} seats for ${what}, where the stored object has 450 KB`, () =>
      assert.equal(seatsOf(target, sent), seats));
});
