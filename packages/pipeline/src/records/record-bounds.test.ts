import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { errors, namesFor } from '@orch/machinery';
import { localRequest, type Observed, parseRequestInfo, type UserInfo } from '@orch/request';
import { RequestRecords } from './request-records.ts';

interface Sent {
  readonly name: string;
  readonly path?: string;
  readonly rawQuery?: string;
  readonly user?: Partial<UserInfo>;
  readonly error?: unknown;
}

/** Records of requests that were refused. */
class RecordedRequests {
  readonly records = new RequestRecords({ now: () => 0 }, namesFor('orch'));

  send({ name, path = '/api/v1/namespaces/a/pods/x', rawQuery = '', user = {}, error }: Sent): void {
    const identity = { name, uid: '', groups: [], extra: {}, ...user };
    const line = { method: 'DELETE', rawPath: path, rawQuery: '', contentType: undefined };
    const target = rawQuery === '' ? path : `${path}?${rawQuery}`;
    const context: Observed = {
      request: localRequest({ target, method: 'DELETE', headers: {} }),
      info: parseRequestInfo(line),
      trace: { user: name, identity, refusedBy: 'authorization' },
    };
    this.records.ended(context, { code: 403, durationMs: 1, error });
  }

  count(name: string): number {
    return this.records.of({ name, uid: '' }).length;
  }
}

/** A string that shares memory with no other one, and whose parts are slices of it. */
const longText = (index: number, length: number): string =>
  Buffer.alloc(length, 97 + (index % 26)).toString('latin1');

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe('bounds of remembered requests', () => {
  it('requests with long strings leave only the parts of them that are remembered in memory', () => {
    const sent = new RecordedRequests();
    const groups = ['system:authenticated'];
    sent.send({ name: 'warm-up', user: { groups } });
    const before = heapAfterCollection();
    for (let index = 0; index < 64 * 64; index++) {
      const text = longText(index, 30_000);
      sent.send({
        name: `u${index % 64}`,
        path: `/api/v1/namespaces/${text.slice(0, 1500)}/pods/${text.slice(0, 1500)}`,
        rawQuery: text.slice(0, 20_000),
        user: { groups: [text.slice(5)], extra: { [text.slice(6)]: [text.slice(7)] } },
        error: errors.badRequest(text),
      });
    }
    const perRecord = (heapAfterCollection() - before) / (64 * 64);
    assert.equal(sent.records.all().length, 64 * 64);
    assert.ok(perRecord < 6_000, `${Math.round(perRecord)} bytes for each record`);
  });

  it('all remembered requests together have a fixed number, also with many users of each class', () => {
    const sent = new RecordedRequests();
    for (let user = 0; user < 9_000; user++) sent.send({ name: `u${user}` });
    for (let user = 0; user < 9_000; user++) sent.send({ name: `system:node:n${user}` });
    for (let user = 0; user < 9_000; user++) sent.send({ name: `system:serviceaccount:a:s${user}` });
    for (let request = 0; request < 9_000; request++) sent.send({ name: `u${request % 100}` });
    assert.equal(sent.records.all().length, 4096 + 1024 + 2048);
  });

  it('the groups and the extra attributes of a user are kept for refusals of authorization, up to a length', () => {
    const sent = new RecordedRequests();
    sent.send({ name: 'ann', user: { groups: ['dev'], extra: { scope: ['read'] } } });
    assert.deepEqual(sent.records.of({ name: 'ann', uid: '' })[0]?.credentials, {
      groups: ['dev'],
      extra: { scope: ['read'] },
    });
    sent.send({
      name: 'ann',
      user: { groups: Array.from({ length: 1000 }, (_, index) => `group-${index}`) },
    });
    assert.equal(sent.records.of({ name: 'ann', uid: '' })[0]?.credentials, undefined);
  });

  it('requests of users whose names are too long to compare are not remembered', () => {
    const sent = new RecordedRequests();
    sent.send({ name: 'a'.repeat(100_000) });
    sent.send({ name: 'ann', user: { uid: 'u'.repeat(100_000) } });
    assert.deepEqual(sent.records.all(), []);
  });

  it('users whose names and uids are the same text together have separate records', () => {
    const sent = new RecordedRequests();
    sent.send({ name: 'a\nb', user: { uid: 'c' } });
    assert.equal(sent.records.of({ name: 'a', uid: 'b\nc' }).length, 0);
    assert.equal(sent.records.of({ name: 'a\nb', uid: 'c' }).length, 1);
  });
});

describe('shares of users in remembered requests', () => {
  it('nodes and service accounts, however many, displace no records of other users', () => {
    const sent = new RecordedRequests();
    sent.send({ name: 'ann' });
    for (let user = 0; user < 9_000; user++) sent.send({ name: `system:node:n${user}` });
    for (let user = 0; user < 9_000; user++) sent.send({ name: `system:serviceaccount:a:s${user}` });
    assert.equal(sent.count('ann'), 1);
    sent.send({ name: 'system:serviceaccount:a:quiet' });
    for (let user = 0; user < 9_000; user++) sent.send({ name: `system:node:n${user}` });
    assert.equal(sent.count('system:serviceaccount:a:quiet'), 1);
  });

  it('users with many requests lose records before users with few', () => {
    const sent = new RecordedRequests();
    for (let request = 0; request < 5; request++) sent.send({ name: 'ann' });
    for (let request = 0; request < 40_000; request++) sent.send({ name: `busy-${request % 500}` });
    assert.equal(sent.count('ann'), 5);
    assert.ok(sent.count('busy-0') >= 8);
  });

  it('a thousand active users have several records each, the latest ones', () => {
    const sent = new RecordedRequests();
    for (let round = 0; round < 64; round++)
      for (let user = 0; user < 1000; user++)
        sent.send({ name: `u${user}`, path: `/api/v1/namespaces/a/pods/p${round}` });
    for (const user of [0, 500, 999]) {
      assert.ok(sent.count(`u${user}`) >= 4);
      assert.match(sent.records.of({ name: `u${user}`, uid: '' })[0]?.target ?? '', /p63$/);
    }
  });

  it('the users with the latest requests have a record when there are more users than records', () => {
    const sent = new RecordedRequests();
    for (let user = 0; user < 5000; user++) sent.send({ name: `u${user}` });
    assert.equal(sent.count('u0'), 0);
    assert.equal(sent.count('u4999'), 1);
    sent.send({ name: 'ann' });
    assert.equal(sent.count('ann'), 1);
  });
});
