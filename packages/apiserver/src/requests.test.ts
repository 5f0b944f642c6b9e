import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { until } from '@orch/machinery/testing';
import { parseYaml } from '@orch/machinery/yaml';
import { flagValues, splitCommandLine } from '@orch/program';
import { apiServerFlags } from './flags/api-server-flags.ts';
import { runApiServer } from './run-api-server.ts';
import { settingsOf } from './settings/settings.ts';
import type { RunningApiServer } from './start/start-context.ts';

const work = mkdtempSync(join(tmpdir(), 'orch-requests-'));
const auditLog = join(work, 'audit.log');
after(() => rmSync(work, { recursive: true }));

interface Answer {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface AuditLine {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly level: string;
  readonly user: { readonly username: string };
  readonly impersonatedUser?: { readonly username: string };
  readonly sourceIPs: readonly string[];
  readonly objectRef?: { readonly resource: string; readonly name?: string };
  readonly requestObject?: { readonly spec?: object; readonly data?: object; readonly kind?: string };
  readonly responseStatus?: { readonly code: number; readonly reason?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

describe('the requests of a running server', () => {
  const stop = new AbortController();
  let running: RunningApiServer;
  let ended: Promise<void>;
  let identity: { ca: string; cert: string; key: string };

  before(async () => {
    const argv = [
      '--secure-port=0',
      '--bind-address=127.0.0.1',
      `--cert-dir=${work}/certs`,
      `--data-dir=${work}/data`,
      `--audit-log-path=${auditLog}`,
    ];
    const ready = Promise.withResolvers<RunningApiServer>();
    const host = {
      env: { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() },
      droppedLogLines: () => 0,
      verbosity: { level: 0 },
      build: { version: '1', commit: '', date: '' },
      onReady: ready.resolve,
    };
    const settings = settingsOf(flagValues(apiServerFlags, splitCommandLine(apiServerFlags, argv).given));
    ended = runApiServer(settings, host, stop.signal);
    ended.catch(ready.reject);
    running = await ready.promise;
    const config = parseYaml(readFileSync(running.adminConfig)) as {
      clusters: { cluster: Record<string, string> }[];
      users: { user: Record<string, string> }[];
    };
    const decoded = (text = '') => Buffer.from(text, 'base64').toString();
    identity = {
      ca: decoded(config.clusters[0]?.cluster['certificate-authority-data']),
      cert: decoded(config.users[0]?.user['client-certificate-data']),
      key: decoded(config.users[0]?.user['client-key-data']),
    };
  });
  after(async () => {
    stop.abort(new Error('test is over'));
    await ended;
  });

  const sendRequest = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | Buffer,
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(`${running.url}${path}`, { method, headers, ...identity, agent: false });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => void parts.push(part));
        response.on('end', () =>
          resolve({ code: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
        );
      });
      sent.end(body);
    });

  const lineOf = (id: string): AuditLine | undefined =>
    readFileSync(auditLog, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditLine)
      .find((line) => line.auditID === id && line.stage === 'ResponseComplete');

  const maps = '/api/v1/namespaces/default/configmaps';
  const leases = '/apis/coordination.orch.io/v1/namespaces/default/leases';

  it('the requests of a running server are logged with the id of their response and both users', async () => {
    const { code, headers } = await sendRequest('GET', maps, {
      'impersonate-user': 'bob',
      'x-forwarded-for': '9.9.9.9, 127.0.0.2',
    });
    assert.equal(code, 200);
    const line = lineOf(String(headers['audit-id']));
    assert.equal(line?.verb, 'list');
    assert.equal(line?.impersonatedUser?.username, 'bob');
    assert.deepEqual(line?.sourceIPs, ['9.9.9.9', '127.0.0.2', '127.0.0.1']);
    assert.equal(line?.annotations?.['authorization.orch.io/decision'], 'allow');
  });

  it('a running server tells how many requests it handles, of which a write is one until the store has it', async () => {
    let isAnswered = false;
    const written = sendRequest('POST', maps, {}, '{"metadata":{"name":"counted"}}').finally(() => {
      isAnswered = true;
    });
    let most = 0;
    await until(() => {
      most = Math.max(most, running.inflight());
      return isAnswered;
    });
    assert.equal((await written).code, 201);
    assert.ok(most > 0);
    await until(() => running.inflight() === 0);
  });

  it('the requests of a running server are audited in JSON, independent of their encoding', async () => {
    const lease = { spec: { holderIdentity: 'me', leaseDurationSeconds: 5 } };
    const yaml = 'metadata: {name: of-yaml}\nspec: {holderIdentity: me, leaseDurationSeconds: 5}\n';
    const json = JSON.stringify({ metadata: { name: 'of-json' }, ...lease });
    const made = await sendRequest('POST', leases, { 'content-type': 'application/json' }, json);
    assert.equal(made.code, 201);
    const protobuf = 'application/vnd.orch.protobuf';
    const read = await sendRequest('GET', `${leases}/of-json`, { accept: protobuf });
    assert.equal(read.code, 200);
    for (const [method, path, type, body] of [
      ['POST', leases, 'application/yaml', yaml],
      ['PUT', `${leases}/of-json`, protobuf, read.body],
    ] as const) {
      const { code, headers } = await sendRequest(method, path, { 'content-type': type }, body);
      assert.ok(code < 300, `${type}: ${code}`);
      const line = lineOf(String(headers['audit-id']));
      assert.equal(line?.level, 'Request');
      assert.deepEqual({ ...line?.requestObject?.spec }, lease.spec, type);
    }
  });

  it('the requests of a running server leave no secret in the log, but the name that the server generated', async () => {
    const body = JSON.stringify({ metadata: { generateName: 's-' }, stringData: { a: 'hunter2' } });
    const {
      code,
      headers,
      body: made,
    } = await sendRequest(
      'POST',
      '/api/v1/namespaces/default/secrets',
      { 'content-type': 'application/json' },
      body,
    );
    assert.equal(code, 201);
    const line = lineOf(String(headers['audit-id']));
    assert.equal(line?.level, 'Metadata');
    assert.equal(
      line?.objectRef?.name,
      (JSON.parse(made.toString()) as { metadata: { name: string } }).metadata.name,
    );
    assert.ok(!readFileSync(auditLog, 'utf8').includes('hunter2'));
  });

  it('the requests of a running server have the flow schema in their response headers, by the object of the cluster', async () => {
    const schemas = '/apis/flowcontrol.apiserver.orch.io/v1beta2/flowschemas/exempt';
    const { headers, body } = await sendRequest('GET', schemas);
    const { uid } = (JSON.parse(body.toString()) as { metadata: { uid: string } }).metadata;
    assert.equal(headers['x-orch-pf-flowschema-uid'], uid);
    assert.match(String(headers['x-orch-pf-prioritylevel-uid']), /^[0-9a-f-]{36}$/);
    const other = await sendRequest('GET', maps, { 'impersonate-user': 'bob' });
    assert.notEqual(other.headers['x-orch-pf-flowschema-uid'], uid);
  });

  it('the requests of a running server are counted by flow schema and level', async () => {
    const text = (await sendRequest('GET', '/metrics')).body.toString();
    assert.match(
      text,
      /dispatched_requests_total\{flow_schema="global-default",priority_level="global-default"\} [1-9]/,
    );
    assert.match(text, /request_concurrency_limit\{priority_level="workload-low"\} [1-9]/);
    assert.match(text, /apiserver_audit_event_total [1-9]/);
  });
});
