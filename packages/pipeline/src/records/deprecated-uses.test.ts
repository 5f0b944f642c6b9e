import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { localRequest, type Observed, parseRequestInfo } from '@orch/request';
import { joinedUses } from './deprecated-uses.ts';
import { RequestRecords } from './request-records.ts';

/** Records of reads of a deprecated version. */
class RecordedUses {
  readonly records: RequestRecords;
  #ms = 0;

  constructor() {
    this.records = new RequestRecords({ now: () => this.#ms++ }, namesFor('orch'));
  }

  send(name: string, agent: string, isDeprecated = true): void {
    const target = '/apis/batch/v1beta1/cronjobs';
    const context: Observed = {
      request: localRequest({ target, headers: { 'user-agent': agent } }),
      info: parseRequestInfo({ method: 'GET', rawPath: target, rawQuery: '', contentType: undefined }),
      trace: {
        ...{ user: name, identity: { name, uid: '', groups: [], extra: {} } },
        ...(isDeprecated && { deprecated: { removed: '1.25' } }),
      },
    };
    this.records.ended(context, { code: 200, durationMs: 0, error: undefined });
  }

  of(name: string): readonly (readonly [agent: string, count: number | undefined])[] {
    return this.records
      .deprecated({ name, uid: '' })
      .map(({ userAgent, deprecated }) => [userAgent, deprecated?.count]);
  }
}

describe('records of the users of deprecated versions', () => {
  it('fast reads are counted by user and program, and other requests are not recorded', () => {
    const sent = new RecordedUses();
    for (const agent of ['old', 'older', 'old']) sent.send('ann', agent);
    sent.send('ann', 'new', false);
    sent.send('bob', 'old');
    assert.deepEqual(sent.of('ann'), [
      ['older', 1],
      ['old', 2],
    ]);
    assert.deepEqual(sent.of('bob'), [['old', 1]]);
    assert.equal(sent.records.deprecated('everyone').length, 3);
  });

  it('a user with many programs displaces only its own, and many users those who were there first', () => {
    const sent = new RecordedUses();
    sent.send('ann', 'old');
    for (let i = 0; i < 1000; i++) sent.send('bob', `program-${i}`);
    assert.deepEqual([sent.of('ann').length, sent.of('bob').length], [1, 16]);
    for (let i = 0; i < 127; i++) sent.send(`user-${i}`, 'old');
    assert.deepEqual([sent.of('ann').length, sent.of('bob').length], [0, 16]);
    assert.ok(sent.records.deprecated('everyone').length <= 128 * 16);
  });

  it('the same use in several threads is one, with the number of all requests', () => {
    const [one, other] = [new RecordedUses(), new RecordedUses()];
    for (const thread of [one, other, other]) thread.send('ann', 'old');
    other.send('bob', 'old');
    const joined = joinedUses([one, other].flatMap(({ records }) => records.deprecated('everyone')));
    assert.deepEqual(joined.map(({ user, deprecated }) => [user.name, deprecated?.count]).sort(), [
      ['ann', 3],
      ['bob', 1],
    ]);
  });
});
