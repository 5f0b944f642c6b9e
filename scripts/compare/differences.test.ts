import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { differingLeaves } from './differences.ts';
import { normalised } from './normalise.ts';
import { judge, readReasons } from './reasons.ts';
import { reportLines } from './report.ts';

const difference = (path: string, request = 'GET /apis') => ({
  section: 'discovery',
  request,
  path,
  reference: 1,
  server: undefined,
});

describe('differences of two answers', () => {
  it('a value that one answer lacks is a difference at its path', () => {
    assert.deepEqual(
      differingLeaves('body', [
        { a: { b: 1 }, c: null },
        { a: {}, c: null },
      ]),
      [['body.a.b', 1, undefined]],
    );
  });

  it('items of lists are compared by their names, and a different order is one difference', () => {
    const items = [{ name: 'a', n: 1 }, { name: 'b', n: 2 }, { name: 'c' }];
    const others = [
      { name: 'b', n: 3 },
      { name: 'a', n: 1 },
    ];
    assert.deepEqual(differingLeaves('x', [items, others]), [
      ['x[b].n', 2, 3],
      ['x[c]', { name: 'c' }, undefined],
      ['x(order)', 'a b', 'b a'],
    ]);
  });

  it('items without distinct names are compared by their indexes', () => {
    assert.deepEqual(differingLeaves('x', [[1, 1], [1]]), [['x[1]', 1, undefined]]);
  });
});

describe('normalised answers', () => {
  it('values that a server allocates or measures become equal', () => {
    const answer = (n: number) => ({
      metadata: { uid: `${n}`, resourceVersion: `${n}`, creationTimestamp: `2026-01-0${n}T00:00:00Z` },
      spec: { clusterIP: `10.0.0.${n}`, clusterIPs: [`10.0.0.${n}`] },
      rows: [{ cells: ['x', `${n}s`] }],
      serverRelativeURL: `/openapi/v3/api/v1?hash=${n}F`,
      message: `UID in precondition: 0000000${n}-0000-0000-0000-000000000000`,
    });
    assert.deepEqual(normalised(answer(1)), normalised(answer(2)));
  });

  it('the words of conditions are not compared, their type, status and reason are', () => {
    const condition = (message: string, reason = 'Found') => ({
      type: 'Dangling',
      status: 'False',
      lastTransitionTime: '2024-01-01T00:00:00Z',
      reason,
      message,
    });
    assert.deepEqual(normalised(condition('it exists')), normalised(condition('the level exists')));
    assert.notDeepEqual(normalised(condition('a')), normalised(condition('a', 'NotFound')));
  });

  it('absent, empty and null values stay as they are', () => {
    const given = { uid: '', clusterIP: 'None', resourceVersion: null, name: 'a' };
    assert.deepEqual(normalised(given), given);
  });
});

describe('reasons of differences', () => {
  it('a difference without a reason and a reason without a difference are reported', () => {
    const reasons = readReasons(
      JSON.stringify([
        { pattern: '\\.known$', reason: 'on purpose', since: '1.24', until: '1.25' },
        { pattern: 'nothing', reason: 'obsolete' },
        { pattern: '.', reason: 'of later releases', since: '1.25' },
        { pattern: '.', reason: 'of earlier releases', until: '1.24' },
      ]),
      '1.24',
    );
    const found = judge([difference('body.known'), difference('body.other')], reasons);
    assert.deepEqual(
      found.unexplained.map(({ path }) => path),
      ['body.other'],
    );
    assert.deepEqual(
      found.unused.map(({ reason }) => reason),
      ['obsolete'],
    );
    assert.deepEqual(
      [...found.explained.values()].map(({ length }) => length),
      [1],
    );
  });

  it('reasons of running servers, published documents and alpha features are only for comparisons with them', () => {
    for (const comparison of ['running', 'published', 'alpha'] as const) {
      const text = JSON.stringify([{ pattern: 'known', reason: 'of these', [comparison]: true }]);
      const counts = (['running', 'published', 'alpha'] as const).map(
        (one) => readReasons(text, '1.24', one).length,
      );
      assert.deepEqual(
        counts,
        (['running', 'published', 'alpha'] as const).map((other) => (other === comparison ? 1 : 0)),
      );
    }
  });

  it('a run of selected sections does not report reasons of the others', () => {
    const reasons = readReasons('[{ "pattern": "nothing", "reason": "of another section" }]', '1.24');
    assert.deepEqual(judge([], reasons, false).unused, []);
  });

  it('a file of reasons with an empty reason is refused', () => {
    const read = (entry: unknown) => () => readReasons(JSON.stringify([entry]), '1.24');
    assert.throws(read({ pattern: 'x', reason: ' ' }), /the reason of "x" must be a non-empty string/);
    assert.throws(read({ pattern: 'x', reason: 'y', since: 1.24 }), /1.24 must be a release/);
    assert.throws(() => readReasons('{}', '1.24'), /must be a list/);
  });

  it('a report has one line for requests with the same difference', () => {
    const found = judge([difference('status', 'GET /a'), difference('status', 'GET /b')], []);
    assert.deepEqual(reportLines(found), [
      'discovery: 2 differences',
      '  status: reference 1, this server absent (GET /a and 1 more)',
      '2 differences without a reason, 0 reasons without a difference',
    ]);
  });
});
