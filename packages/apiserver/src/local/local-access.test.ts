import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery';
import { flagValues, splitCommandLine } from '@orch/program';
import { apiServerFlags } from '../api-server-flags.ts';
import { type RunningApiServer, runApiServer } from '../run-api-server.ts';
import { settingsOf } from '../settings.ts';
import type { LocalAccess, LocalAnswer, LocalCall } from './local-access.ts';

const never = new AbortController().signal;
const work = mkdtempSync(join(tmpdir(), 'orch-local-'));
after(() => rmSync(work, { recursive: true }));

const settings = settingsOf(
  flagValues(
    apiServerFlags,
    splitCommandLine(apiServerFlags, [
      '--secure-port=0',
      '--bind-address=127.0.0.1',
      '--authorization-mode=RBAC',
      `--cert-dir=${work}/certs`,
      `--data-dir=${work}/data`,
    ]).given,
  ),
);

const text = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  let all = '';
  for await (const piece of body) all += Buffer.from(piece).toString();
  return all;
};

describe('the way of a process to its own server', () => {
  const stop = new AbortController();
  let running: RunningApiServer;
  let local: LocalAccess;
  let ended: Promise<void>;

  before(async () => {
    const ready = Promise.withResolvers<RunningApiServer>();
    ended = runApiServer(
      settings,
      {
        env: { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() },
        droppedLogLines: () => 0,
        build: { version: '1', commit: '', date: '' },
        loopbackUser: settings.names.users.controllerManager,
        onReady: ready.resolve,
      },
      stop.signal,
    );
    ended.catch(ready.reject);
    running = await ready.promise;
    assert.ok(running.local !== undefined);
    local = running.local;
  });

  const send = (
    target: string,
    headers: LocalCall['headers'] = { authorization: local.authorization },
    signal = never,
  ): Promise<LocalAnswer> => local.send({ method: 'GET', target, headers }, signal);

  for (const [title, credentials, target, status] of [
    ['the loopback user has his permissions', 'good', '/api/v1/pods', 200],
    ['the loopback user has no others', 'good', '/api/v1/namespaces/default/pods/x/log', 403],
    ['who says nothing is anonymous', 'none', '/api/v1/pods', 403],
    ['another token of the same length is nobody', 'other', '/api/v1/pods', 401],
    ['part of the token is nobody', 'short', '/api/v1/pods', 401],
    ['what needs no permission is answered', 'none', '/version', 200],
  ] as const) {
    it(title, async () => {
      const { authorization } = local;
      const headers = {
        good: { authorization },
        none: {},
        other: { authorization: `Bearer ${'A'.repeat(authorization.length - 7)}` },
        short: { authorization: authorization.slice(0, -1) },
      }[credentials];
      const answer = await send(target, headers);
      assert.equal(answer.status, status, await text(answer.body));
    });
  }

  it('is worth nothing over the network', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(
        `${running.url}/api/v1/pods`,
        { rejectUnauthorized: false, agent: false, headers: { authorization: local.authorization } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      )
        .on('error', reject)
        .end();
    });
    assert.equal(status, 401);
  });

  it('carries bodies, and names of fields in lower case', async () => {
    const lease = { metadata: { name: 'mine' }, spec: { holderIdentity: 'me' } };
    const answer = await local.send(
      {
        method: 'POST',
        target: `/apis/${settings.names.groups.coordination}/v1/namespaces/default/leases`,
        headers: { authorization: local.authorization, 'content-type': 'application/json' },
        body: new TextEncoder().encode(JSON.stringify(lease)),
      },
      never,
    );
    assert.equal(answer.status, 201);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
    assert.match(await text(answer.body), /"holderIdentity":"me"/);
  });

  it('streams watches, and ends them with their signal', async () => {
    const leave = new AbortController();
    const answer = await send('/api/v1/namespaces?watch=1', undefined, leave.signal);
    const pieces = answer.body[Symbol.asyncIterator]();
    const first = await pieces.next();
    assert.match(String(Buffer.from(first.value ?? [])), /"type":"ADDED"/);
    leave.abort(new Error('enough'));
    await assert.rejects(async () => {
      for (;;) if ((await pieces.next()).done === true) return;
    }, /broke off/);
  });

  it('rejects with the reason of a signal that has aborted', async () => {
    await assert.rejects(send('/version', {}, AbortSignal.abort(new Error('too late'))), /too late/);
  });

  it('ends watches cleanly with the server', async () => {
    const answer = await send('/api/v1/configmaps?watch=1');
    const rest = text(answer.body);
    stop.abort(new Error('test is over'));
    await rest;
    await ended;
  });
});
