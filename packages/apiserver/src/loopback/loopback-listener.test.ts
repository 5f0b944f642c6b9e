import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { flagValues, splitCommandLine } from '@orch/program';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { runApiServer } from '../run-api-server.ts';
import { settingsOf } from '../settings/settings.ts';
import type { RunningApiServer } from '../start/start-context.ts';
import type { LoopbackRequest, LoopbackResponse, LoopbackTransport } from './loopback-transport.ts';

const never = new AbortController().signal;
const work = mkdtempSync(join(tmpdir(), 'orch-loopback-'));
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

describe('the loopback transport', () => {
  const stop = new AbortController();
  let running: RunningApiServer;
  let transport: LoopbackTransport;
  let ended: Promise<void>;

  before(async () => {
    const ready = Promise.withResolvers<RunningApiServer>();
    ended = runApiServer(
      settings,
      {
        env: { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() },
        droppedLogLines: () => 0,
        verbosity: { level: 0 },
        build: { version: '1', commit: '', date: '' },
        loopbackUser: settings.names.users.controllerManager,
        onReady: ready.resolve,
      },
      stop.signal,
    );
    ended.catch(ready.reject);
    running = await ready.promise;
    assert.ok(running.loopback !== undefined);
    transport = running.loopback;
  });

  const send = (
    target: string,
    headers: LoopbackRequest['headers'] = { authorization: transport.authorization },
    signal = never,
  ): Promise<LoopbackResponse> => transport.send({ method: 'GET', target, headers }, signal);

  for (const [title, credentials, target, status] of [
    ['authorizes the loopback user by its roles', 'good', '/api/v1/pods', 200],
    ['refuses the loopback user what no role allows', 'good', '/api/v1/namespaces/default/pods/x/log', 403],
    ['handles a request without credentials as anonymous', 'none', '/api/v1/pods', 403],
    ['rejects another token of the same length', 'other', '/api/v1/pods', 401],
    ['rejects a prefix of the token', 'short', '/api/v1/pods', 401],
    ['serves paths that need no permission to anonymous requests', 'none', '/version', 200],
  ] as const) {
    it(title, async () => {
      const { authorization } = transport;
      const headers = {
        good: { authorization },
        none: {},
        other: { authorization: `Bearer ${'A'.repeat(authorization.length - 7)}` },
        short: { authorization: authorization.slice(0, -1) },
      }[credentials];
      const response = await send(target, headers);
      assert.equal(response.status, status, await text(response.body));
    });
  }

  it('the loopback transport makes credentials of other users', async () => {
    const groups = ['system:masters'];
    const administrator = transport.authorizationOf({ name: 'jane', uid: '', groups, extra: {} });
    const target = '/api/v1/namespaces/default/pods/x/log';
    assert.equal((await send(target, { authorization: administrator })).status, 404);
    assert.equal((await send(target)).status, 403, 'the loopback user keeps its own identity');
  });

  it('the loopback transport has a credential that is rejected on connections from the network', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(
        `${running.url}/api/v1/pods`,
        { rejectUnauthorized: false, agent: false, headers: { authorization: transport.authorization } },
        (message) => {
          message.resume();
          resolve(message.statusCode);
        },
      )
        .on('error', reject)
        .end();
    });
    assert.equal(status, 401);
  });

  it('the loopback listener transports bodies, and header fields with names in lower case', async () => {
    const lease = { metadata: { name: 'mine' }, spec: { holderIdentity: 'me' } };
    const response = await transport.send(
      {
        method: 'POST',
        target: `/apis/${settings.names.groups.coordination}/v1/namespaces/default/leases`,
        headers: { authorization: transport.authorization, 'content-type': 'application/json' },
        body: new TextEncoder().encode(JSON.stringify(lease)),
      },
      never,
    );
    assert.equal(response.status, 201);
    assert.match(response.headers['content-type'] ?? '', /^application\/json/);
    assert.match(await text(response.body), /"holderIdentity":"me"/);
  });

  it('the loopback listener streams watch events, and ends the watch when its signal aborts', async () => {
    const leave = new AbortController();
    const response = await send('/api/v1/namespaces?watch=1', undefined, leave.signal);
    const pieces = response.body[Symbol.asyncIterator]();
    const first = await pieces.next();
    assert.match(String(Buffer.from(first.value ?? [])), /"type":"ADDED"/);
    leave.abort(new Error('enough'));
    await assert.rejects(async () => {
      for (;;) if ((await pieces.next()).done === true) return;
    }, /incomplete/);
  });

  it('the loopback transport rejects with the reason of a signal that has aborted before', async () => {
    await assert.rejects(send('/version', {}, AbortSignal.abort(new Error('too late'))), /too late/);
  });

  it('the loopback transport completes watches when the server stops', async () => {
    const response = await send('/api/v1/configmaps?watch=1');
    const rest = text(response.body);
    stop.abort(new Error('test is over'));
    await rest;
    await ended;
  });
});
