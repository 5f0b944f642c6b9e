import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Authenticator, type Authorizer, alwaysAllow, alwaysDeny } from '@orch/auth';
import { MemoryObjectSource } from '@orch/auth/testing';
import { errors, namesFor } from '@orch/machinery';
import { settle, testEnv } from '@orch/machinery/testing';
import { durationMs } from '@orch/machinery/time';
import {
  addStep,
  type BytesReply,
  type LocalRequest,
  localRequest,
  type ResourceContext,
} from '@orch/request';
import { createServer } from '../api-server.ts';
import type { FlowControlOptions } from '../flow-control/index.ts';
import { RequestRecords, SLOW_REQUEST_MS } from './request-records.ts';

const byName: Authenticator = {
  authenticate: ({ headers: { authorization = '' } }) =>
    authorization === ''
      ? { kind: 'none' }
      : { kind: 'user', user: { name: authorization, uid: '', groups: [], extra: {} } },
};
const ok: BytesReply = { kind: 'bytes', status: 200, headers: {}, body: Buffer.from('ok') };
const pods = '/api/v1/namespaces/a/pods';
const userOf = (name: string) => ({ name, uid: '' });

/** A pipeline whose requests are recorded, and take the time that their path names. */
function recorded(authorizer: Authorizer = alwaysAllow, flowControl?: FlowControlOptions) {
  const env = testEnv();
  const records = new RequestRecords(env.clock, namesFor('orch'));
  const held = Promise.withResolvers<void>();
  const server = createServer({
    ...{ env, names: namesFor('orch'), authenticator: byName, authorizer, flowControl, records, routes: [] },
    async resources({ info, trace }: ResourceContext) {
      if (info.name === 'held') await held.promise;
      if (info.name === 'slow') await env.clock.advance(SLOW_REQUEST_MS);
      if (info.name === 'taken') throw errors.alreadyExists({ group: '', kind: 'pods', name: 'taken' });
      if (info.name === 'refused')
        addStep(trace, { stage: 'admission', name: 'LimitRanger', ms: 1, refused: true });
      if (info.name === 'refused') throw errors.forbidden({ group: '', kind: 'pods', name: 'refused' }, 'no');
      return ok;
    },
    servesResource: () => true,
    apiPaths: () => [],
    requestTimeoutMs: 60_000,
    maxRequestsInflight: flowControl === undefined ? 0 : 1,
    maxMutatingRequestsInflight: 0,
    parseDuration: durationMs,
  });
  const send = async (target: string, local: Partial<LocalRequest> = {}) => {
    const reply = await server.handle(localRequest({ target, headers: { authorization: 'ann' }, ...local }));
    await settle();
    return reply;
  };
  return { env, records, send, release: held.resolve };
}

describe('records of requests', () => {
  it('failed, slow and writing requests are recorded, and fast reads are not', async () => {
    const { records, send } = recorded();
    await send(`${pods}/fast`);
    await send(`${pods}/slow`);
    await send(`${pods}/taken`);
    await send(pods, { method: 'POST' });
    await send(`${pods}/fast`, { headers: { authorization: 'ann', 'audit-id': 'mine' } });
    assert.deepEqual(
      records.of(userOf('ann')).map(({ method, target, code }) => `${method} ${target} ${code}`),
      [`GET ${pods}/fast 200`, `POST ${pods} 200`, `GET ${pods}/taken 409`, `GET ${pods}/slow 200`],
    );
  });

  it('a record names the stage that refused the request, with the message of the client', async () => {
    const denied = recorded(alwaysDeny);
    await denied.send(pods);
    const admitted = recorded();
    await admitted.send(`${pods}/refused`);
    await admitted.send(`${pods}/taken`);
    const failures = [denied, admitted].flatMap(({ records }) =>
      records.of(userOf('ann')).map(({ failure }) => [failure?.stage, failure?.reason]),
    );
    assert.deepEqual(failures, [
      ['authorization', 'Forbidden'],
      ['', 'AlreadyExists'],
      ['admission', 'Forbidden'],
    ]);
  });

  it('users have only their own records, and requests without a user are not recorded', async () => {
    const { records, send } = recorded();
    await send(pods, { method: 'POST' });
    await send(pods, { method: 'POST', headers: { authorization: 'bob' } });
    await send(pods, { method: 'POST', headers: {} });
    assert.equal(records.of(userOf('ann')).length, 1);
    assert.equal(records.of({ name: 'ann', uid: 'of another issuer' }).length, 0);
    assert.equal(records.of(userOf('')).length, 0);
  });

  it('the last 64 requests of a user are recorded, with long targets cut', async () => {
    const { records, send } = recorded();
    for (let i = 0; i < 200; i++) await send(`${pods}/${i}`, { method: 'PUT' });
    assert.equal(records.of(userOf('ann')).length, 64);
    assert.match(records.of(userOf('ann'))[0]?.target ?? '', /199$/);
    await send(`${pods}/x?${'y'.repeat(100_000)}`, { method: 'PUT' });
    const [last, previous] = records.of(userOf('ann'));
    assert.deepEqual([last?.target.length, last?.isTargetCut], [512, true]);
    assert.equal(previous?.isTargetCut, false);
  });

  it('a request of an impersonated user is a record of that user, with the name of the sender', async () => {
    const { records, send } = recorded();
    await send(pods, { method: 'POST', headers: { authorization: 'ann', 'impersonate-user': 'bob' } });
    assert.equal(records.of(userOf('bob'))[0]?.impersonator, 'ann');
    assert.equal(records.of(userOf('ann')).length, 0);
  });

  it('a request that flow control delays or refuses is recorded with its level and the time in the queue', async () => {
    const source = new MemoryObjectSource();
    const everything = {
      verbs: ['*'],
      apiGroups: ['*'],
      resources: ['*'],
      clusterScope: true,
      namespaces: ['*'],
    };
    source.put('prioritylevelconfigurations.flowcontrol', {
      metadata: { name: 'narrow' },
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 1,
          limitResponse: { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 1 } },
        },
      },
    });
    source.put('flowschemas.flowcontrol', {
      metadata: { name: 'all' },
      spec: {
        priorityLevelConfiguration: { name: 'narrow' },
        matchingPrecedence: 2,
        rules: [{ subjects: [{ kind: 'User', user: { name: '*' } }], resourceRules: [everything] }],
      },
    });
    const counts = { countObjects: () => 0, countWatchers: () => 0, countBytes: () => 0 };
    const { env, records, send, release } = recorded(alwaysAllow, { source, ...counts });
    const first = send(`${pods}/held`);
    await settle();
    const waiting = send(pods, { method: 'POST' });
    const refused = await send(`${pods}/other`);
    assert.equal(refused.status, 429);
    await env.clock.advance(700);
    release();
    await Promise.all([first, waiting]);
    const found = records
      .of(userOf('ann'))
      .map(({ code, flow, timing, failure }) => [
        ...[code, flow?.schema, flow?.level, timing.queued, failure?.stage],
      ]);
    assert.deepEqual(found.toSorted(), [
      [200, 'all', 'narrow', 0, undefined],
      [200, 'all', 'narrow', 700, undefined],
      [429, 'all', 'narrow', 0, 'flow control'],
    ]);
  });
});
