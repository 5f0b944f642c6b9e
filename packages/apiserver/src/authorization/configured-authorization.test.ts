import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Authorizer, emptySource } from '@orch/auth';
import { namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import { testCertificate } from '@orch/pki/x509/testing';
import { flagValues, splitCommandLine } from '@orch/program';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { Reloads } from '../reload/reloads.ts';
import { settingsOfArguments } from '../testing/run-in-process.ts';
import { authorizationOf } from './authorization.ts';

const names = namesFor('orch');
const never = new AbortController().signal;
const ca = testCertificate({ commonName: 'webhook-ca', use: 'authority' });
const folder = mkdtempSync(join(tmpdir(), 'orch-authz-'));
const pathOf = (name: string): string => join(folder, name);
const flagsOf = (...argv: readonly string[]) =>
  flagValues(apiServerFlags, splitCommandLine(apiServerFlags, argv).given);

interface Review {
  readonly apiVersion: string;
  readonly spec: { readonly user: string };
}

/** Webhooks below different paths of one server: the status of their answers by path; undefined is a failure. */
let statuses: Record<string, object | undefined> = {};
let asked: string[] = [];
const service = createServer(
  testCertificate({ commonName: 'webhook', use: 'server' }, ca),
  async (incoming, outgoing) => {
    const at = incoming.url?.slice(1) ?? '';
    const review = JSON.parse(await text(incoming)) as Review;
    asked.push(`${at} ${review.apiVersion.split('/')[1]} ${review.spec.user}`);
    const status = statuses[at];
    outgoing.writeHead(status === undefined ? 400 : 200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ ...review, kind: 'SubjectAccessReview', status }));
  },
);

/** Writes the client configuration file of the webhook below a path. */
function writeConnection(file: string, below: string, user: object = {}): void {
  const cluster = {
    server: `https://127.0.0.1:${(service.address() as AddressInfo).port}/${below}`,
    'certificate-authority-data': Buffer.from(ca.cert).toString('base64'),
  };
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  };
  writeFileSync(pathOf(file), encodeYaml(content));
}

before(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  for (const name of ['one', 'two']) writeConnection(name, name);
});
after(() => {
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  asked = [];
});

const webhook = (name: string, changes: object = {}) => ({
  type: 'Webhook',
  name,
  webhook: {
    timeout: '10s',
    subjectAccessReviewVersion: 'v1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: pathOf(name) },
    ...changes,
  },
});

const path = pathOf('authz.yaml');
const write = (...authorizers: readonly object[]): void =>
  writeFileSync(
    path,
    encodeYaml({
      apiVersion: names.apiVersion('apiserverconfig', 'v1beta1'),
      kind: 'AuthorizationConfiguration',
      authorizers,
    }),
  );

function open(...argv: readonly string[]) {
  const env = testEnv();
  const reloads = new Reloads();
  const flags = flagsOf(`--authorization-config=${path}`, ...argv);
  return { env, reloads, ...authorizationOf(flags, { env, names, reloads, source: emptySource }) };
}

async function verdictOf(authorizer: Authorizer, name: string): Promise<string> {
  const user = { name, uid: '', groups: [], extra: {} };
  const { signal } = new AbortController();
  return (await authorizer.authorize({ user, isResource: false, verb: 'get', path: '/x' }, { signal }))
    .verdict;
}

describe('an authorizer of a configuration file', () => {
  it('an authorizer of a configuration file asks webhooks in their order until one has an opinion, each with its version and conditions', async () => {
    statuses = { one: { allowed: false }, two: { allowed: true } };
    write(
      webhook('one', {
        matchConditionSubjectAccessReviewVersion: 'v1',
        matchConditions: [{ expression: "request.user != 'bob'" }],
      }),
      webhook('two', { subjectAccessReviewVersion: 'v1beta1' }),
    );
    const { authorizer, env } = open();
    assert.equal(await verdictOf(authorizer, 'ann'), 'allow');
    assert.equal(await verdictOf(authorizer, 'bob'), 'allow');
    assert.deepEqual(asked, ['one v1 ann', 'two v1beta1 ann', 'two v1beta1 bob']);
    statuses = { one: { allowed: false, denied: true } };
    assert.equal(await verdictOf(authorizer, 'carl'), 'deny');
    const shown = env.metrics.text();
    for (const line of [
      'apiserver_authorization_decisions_total{type="Webhook",name="two",decision="allowed"} 2',
      'apiserver_authorization_decisions_total{type="Webhook",name="one",decision="denied"} 1',
      'apiserver_authorization_webhook_evaluations_total{name="one",result="success"} 2',
      'apiserver_authorization_match_condition_exclusions_total{type="Webhook",name="one"} 1',
    ])
      assert.ok(shown.includes(`${line}\n`), line);
  });

  it('a failure of a webhook counts as its failure policy says', async () => {
    statuses = { one: undefined, two: undefined };
    write(webhook('one'), webhook('two', { failurePolicy: 'Deny' }), { type: 'AlwaysAllow', name: 'all' });
    const { authorizer, env } = open();
    assert.equal(await verdictOf(authorizer, 'ann'), 'deny');
    assert.deepEqual(asked, ['one v1 ann', 'two v1 ann']);
    const shown = env.metrics.text();
    for (const [name, open] of [
      ['one', true],
      ['two', false],
    ] as const) {
      assert.ok(
        shown.includes(
          `apiserver_authorization_webhook_evaluations_total{name="${name}",result="error"} 1\n`,
        ),
      );
      const line = `apiserver_authorization_webhook_evaluations_fail_open_total{name="${name}",result="error"} 1\n`;
      assert.equal(shown.includes(line), open);
    }
  });

  it('an authorizer of a configuration file follows the changed file, and keeps the last valid one', async () => {
    statuses = { one: { allowed: false } };
    write(webhook('one'));
    const { authorizer, env, reloads, isUnrestricted } = open();
    const stop = new AbortController();
    const running = reloads.run(stop.signal);
    assert.deepEqual([await verdictOf(authorizer, 'ann'), isUnrestricted()], ['noOpinion', false]);
    write(webhook('one'), { type: 'AlwaysAllow', name: 'all' });
    await env.clock.advanceAsync(1_000);
    assert.deepEqual([await verdictOf(authorizer, 'ann'), isUnrestricted()], ['allow', true]);
    write(webhook('none'));
    await env.clock.advanceAsync(1_000);
    assert.deepEqual([await verdictOf(authorizer, 'ann'), isUnrestricted()], ['allow', true]);
    const shown = env.metrics.text();
    for (const status of ['success', 'failure'])
      assert.ok(
        shown.includes(
          `apiserver_authorization_config_controller_automatic_reloads_total{status="${status}"} 1\n`,
        ),
      );
    const failure = env.entries.find(({ level }) => level === 'error');
    assert.match(
      String(failure?.['error']),
      /authorizers\[0\]\.webhook\.connectionInfo\.kubeConfigFile: .*none/,
    );
    stop.abort();
    await running;
  });

  it('an authorizer of a configuration file follows the client configuration files of webhooks, and the files that these name', async () => {
    statuses = { one: { allowed: false }, two: { allowed: true } };
    writeFileSync(pathOf('token'), 'first');
    writeConnection('connection', 'one', { tokenFile: 'token' });
    write(webhook('connection'));
    const { authorizer, env, reloads } = open();
    const stop = new AbortController();
    const running = reloads.run(stop.signal);
    const isCurrent = async (): Promise<boolean | undefined> => (await reloads.checks[0]?.run(never))?.ok;
    assert.equal(await verdictOf(authorizer, 'ann'), 'noOpinion');
    writeConnection('connection', 'two', { tokenFile: 'token' });
    await env.clock.advanceAsync(1_000);
    assert.deepEqual([await verdictOf(authorizer, 'ann'), await isCurrent()], ['allow', true]);
    rmSync(pathOf('token'));
    await env.clock.advanceAsync(1_000);
    assert.deepEqual([await verdictOf(authorizer, 'bob'), await isCurrent()], ['allow', false]);
    stop.abort();
    await running;
  });

  it('a file that names an unusable connection, or ABAC without its policy, is an error of the start', () => {
    write(webhook('none'));
    assert.throws(() => open(), {
      name: 'StartError',
      message: /^--authorization-config .*kubeConfigFile: .*none/,
    });
    write({ type: 'ABAC', name: 'abac' });
    assert.throws(() => open(), {
      name: 'StartError',
      message: /the type ABAC needs --authorization-policy-file$/,
    });
    writeFileSync(pathOf('policy'), '');
    open(`--authorization-policy-file=${pathOf('policy')}`);
  });

  for (const flag of [
    '--authorization-mode=AlwaysAllow',
    '--authorization-webhook-config-file=x',
    '--authorization-webhook-version=v1',
    '--authorization-webhook-cache-authorized-ttl=1s',
  ])
    it(`the flag ${flag} is refused beside the file`, () => {
      assert.throws(() => settingsOfArguments('--authorization-config=x', flag), {
        name: 'UsageError',
        message: `--authorization-config and ${flag.split('=')[0]} cannot be used together`,
      });
    });
});
