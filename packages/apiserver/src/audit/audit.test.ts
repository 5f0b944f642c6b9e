import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { createServer as createApiServer } from '@orch/pipeline';
import { flagValues, StartError, splitCommandLine, UsageError } from '@orch/program';
import { localRequest } from '@orch/request';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { Reloads } from '../reload/reloads.ts';
import { settingsOf } from '../settings/settings.ts';
import { type Audit, openAudit } from './audit-sinks.ts';

const work = mkdtempSync(join(tmpdir(), 'orch-audit-'));
after(() => rmSync(work, { recursive: true }));

const env = () => ({
  clock: systemClock,
  random: systemRandom,
  log: silentLogger,
  metrics: createMetrics(),
  reloads: new Reloads(),
});
const settings = (...argv: readonly string[]) =>
  settingsOf(flagValues(apiServerFlags, splitCommandLine(apiServerFlags, argv).given));

let files = 0;
function fileOf(text: string): string {
  const path = join(work, `file-${files++}`);
  writeFileSync(path, text);
  return path;
}

/** Sends one request through a pipeline that returns an empty response. */
async function sendRequest(audit: Audit, id: string, target: string): Promise<void> {
  const own = env();
  const { names } = settings();
  const server = createApiServer({
    env: own,
    names,
    authenticator: {
      authenticate: () => ({ kind: 'user', user: { name: 'alice', uid: '', groups: [], extra: {} } }),
    },
    authorizer: { authorize: () => ({ verdict: 'allow', reason: 'because' }) },
    resources: () => ({ kind: 'bytes', status: 200, headers: {}, body: Buffer.alloc(0) }),
    servesResource: () => true,
    routes: [],
    apiPaths: () => [],
    requestTimeoutMs: 1000,
    maxRequestsInflight: 10,
    maxMutatingRequestsInflight: 10,
    parseDuration: () => undefined,
    audit: { ...audit, readProtobuf: () => undefined, deprecationOf: () => undefined },
  });
  await server.handle(localRequest({ target, id }));
  server.close();
}

async function receiver() {
  const bodies: { kind: string; items: { auditID: string; annotations: object }[] }[] = [];
  const tokens: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      tokens.push(request.headers.authorization);
      bodies.push(JSON.parse(Buffer.concat(parts).toString()));
      response.end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    bodies,
    tokens,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

const configFor = (server: string, user = '{token: secret}'): string => `apiVersion: v1
kind: Config
clusters:
- name: c
  cluster: {server: "${server}"}
users:
- name: u
  user: ${user}
contexts:
- name: x
  context: {cluster: c, user: u}
current-context: x
`;

describe('the audit of a server', () => {
  it('the audit of a server is disabled, and reads no request, unless a flag names a destination', () => {
    assert.equal(openAudit(settings(), env()), undefined);
  });

  it('the audit of a server is written to a file, by the policy of a file', async () => {
    const policy = fileOf(
      'apiVersion: audit.orch.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules:\n- level: Metadata\n  namespaces: [a]\n',
    );
    for (const mode of ['blocking', 'blocking-strict', 'batch']) {
      const path = join(work, `audit-${mode}.log`);
      const audit = openAudit(
        settings(`--audit-log-path=${path}`, `--audit-policy-file=${policy}`, `--audit-log-mode=${mode}`),
        env(),
      );
      assert.ok(audit);
      await sendRequest(audit, 'one', '/api/v1/namespaces/a/pods');
      await sendRequest(audit, 'two', '/api/v1/namespaces/b/pods');
      await audit.close();
      const ids = readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { auditID: string }).auditID);
      assert.deepEqual(ids, ['one'], mode);
    }
  });

  it('the audit of a server is compressed, truncated and throttled by its flags', async () => {
    const path = join(work, 'audit-shaped.log');
    const audit = openAudit(
      settings(
        `--audit-log-path=${path}`,
        '--audit-log-compress',
        '--audit-log-mode=batch',
        '--audit-log-batch-throttle-enable',
        '--audit-log-batch-throttle-qps=1000',
        '--audit-log-batch-throttle-burst=1',
        '--audit-log-truncate-enabled',
        '--audit-log-truncate-max-event-size=1',
        '--audit-log-version=audit.k8s.io/v1',
      ),
      env(),
    );
    assert.ok(audit);
    await sendRequest(audit, 'large', '/api/v1/namespaces/a/pods');
    await audit.close();
    assert.equal(readFileSync(path, 'utf8'), '');
  });

  it('the audit of a server has the version in the flag', async () => {
    const path = join(work, 'audit-version.log');
    const audit = openAudit(
      settings(`--audit-log-path=${path}`, '--audit-log-version=audit.k8s.io/v1'),
      env(),
    );
    assert.ok(audit);
    await sendRequest(audit, 'one', '/api/v1/namespaces/a/pods');
    await audit.close();
    const versions = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { apiVersion: string }).apiVersion);
    assert.deepEqual([...new Set(versions)], ['audit.k8s.io/v1']);
  });

  for (const [argv, message] of [
    [
      ['--audit-log-batch-throttle-enable'],
      '--audit-log-batch-throttle-enable needs --audit-log-batch-throttle-qps and --audit-log-batch-throttle-burst above zero',
    ],
    [
      ['--audit-webhook-truncate-enabled', '--audit-webhook-truncate-max-batch-size=7'],
      '--audit-webhook-truncate-max-batch-size must not be less than --audit-webhook-truncate-max-event-size',
    ],
  ] as const) {
    it(`the audit of a server rejects contradictory flags: ${argv.join(' ')}`, () => {
      assert.throws(
        () => settings(...argv),
        (error) => error instanceof UsageError && error.message === message,
      );
    });
  }

  it('the audit of a server is sent to a service with the credentials of a client configuration file, before the server ends', async () => {
    await using service = await receiver();
    const audit = openAudit(settings(`--audit-webhook-config-file=${fileOf(configFor(service.url))}`), env());
    assert.ok(audit);
    await sendRequest(audit, 'one', '/api/v1/namespaces/a/pods');
    await audit.close();
    assert.deepEqual(
      service.bodies.map(({ kind, items }) => [kind, items.map((item) => item.auditID)]),
      [['EventList', ['one']]],
    );
    assert.deepEqual(service.tokens, ['Bearer secret']);
  });

  const bad: readonly [string, () => readonly string[], RegExp][] = [
    [
      'a policy with an unknown field',
      () => [`--audit-policy-file=${fileOf('apiVersion: audit.orch.io/v1\nkind: Policy\nrule: []\n')}`],
      /^--audit-policy-file .*: line 3: rule: unknown field/,
    ],
    [
      'a policy file that does not exist',
      () => ['--audit-policy-file=/none'],
      /^--audit-policy-file: ENOENT/,
    ],
    ['a log that cannot be opened', () => [`--audit-log-path=${work}`], /^--audit-log-path: EISDIR/],
    [
      'a client configuration without a context',
      () => [`--audit-webhook-config-file=${fileOf('kind: Config\n')}`],
      /line 1: current-context: a context is required/,
    ],
    [
      'a client configuration with an invalid server',
      () => [`--audit-webhook-config-file=${fileOf(configFor('nowhere'))}`],
      /line 5: cluster\.server: "nowhere" is not an http or https URL/,
    ],
    [
      'a client configuration that would run a program',
      () => [`--audit-webhook-config-file=${fileOf(configFor('https://a', '{exec: {}}'))}`],
      /line 8: user\.exec: is not supported/,
    ],
  ];
  for (const [title, argv, problem] of bad) {
    it(`the audit of a server fails the start with a message for ${title}`, () => {
      assert.throws(
        () => openAudit(settings(...argv()), env()),
        (error) => error instanceof StartError && problem.test(error.message),
      );
    });
  }
});
