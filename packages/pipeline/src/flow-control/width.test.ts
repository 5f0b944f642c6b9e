import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHistoryInfo, parseRequestInfo } from '@orch/request';
import { widthOf } from './width.ts';

const counts = { countObjects: () => 350, countWatchers: () => 0 };

function seatsOf(target: string): number {
  const [path = '', rawQuery = ''] = target.split('?');
  const line = { method: 'GET', rawPath: path, rawQuery, contentType: undefined };
  const info = path.startsWith('/history/') ? parseHistoryInfo(line) : parseRequestInfo(line);
  return widthOf({ info, request: line }, counts, { observe: () => undefined });
}

const maps = '/api/v1/namespaces/n/configmaps';

describe('the seats of a read', () => {
  for (const [target, seats] of [
    [`${maps}/a`, 1],
    [maps, 4],
    [`${maps}?limit=150`, 2],
    [`/history${maps}/a`, 2],
    [`/history${maps}/a?limit=1`, 1],
    [`/history${maps}/a?limit=300`, 6],
    [`/history${maps}/a?limit=100000`, 10],
    [`/history${maps}/a?at=5`, 1],
    [`/history${maps}/a?at=`, 2],
    [`/history${maps}?limit=1`, 4],
    [`/history${maps}`, 6],
    [`/history${maps}?at=5&limit=1`, 4],
  ] as const)
    it(`a read takes ${seats} seats for ${target}, where the collection has 350 objects`, () =>
      assert.equal(seatsOf(target), seats));
});
