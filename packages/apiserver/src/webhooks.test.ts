import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { type Attributes, type Credentials, tokenWebhookAuthenticator, webhookAuthorizer } from '@orch/auth';
import { createMetrics, systemClock, systemRandom } from '@orch/machinery/env';
import { FakeClock, testEnv } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';
import { StartError } from '@orch/program';
import { Reloads } from './reload/reloads.ts';
import { remoteService } from './remote-services.ts';

const issue = (commonName: string, use: 'authority' | 'server' | 'client', issuer?: KeyPair): KeyPair =>
  testCertificate({ commonName, use }, issuer);
const ca = issue('webhook-ca', 'authority');
const serving = issue('webhook', 'server', ca);
const own = issue('apiserver', 'client', ca);
const folder = mkdtempSync(join(tmpdir(), 'orch-webhooks-'));

interface Seen {
  readonly body: Readonly<Record<string, unknown>>;
  readonly client: string | undefined;
}

/** A service over TLS that answers as `answer` specifies: with a status, an object or nothing. */
let seen: Seen[] = [];
let answer: (seen: Seen) => number | object | undefined = () => 500;
const service = createServer({ ...serving, ca: ca.cert, requestCert: true }, async (incoming, outgoing) => {
  const body = JSON.parse(await textOf(incoming)) as Seen['body'];
  const client = (incoming.socket as TLSSocket).getPeerX509Certificate()?.subject;
  seen.push({ body, client });
  const result = answer({ body, client });
  if (result === undefined) return;
  outgoing.writeHead(typeof result === 'number' ? result : 200, { 'content-type': 'application/json' });
  outgoing.end(typeof result === 'number' ? '' : JSON.stringify(result));
});

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of incoming) text += String(part);
  return text;
}

const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

let configFile = '';
before(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  file('ca.crt', ca.cert);
  file('own.crt', own.cert);
  file('own.key', own.key);
  configFile = file('webhook.conf', configOf());
});
beforeEach(() => {
  seen = [];
});
after(() => {
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

const configOf = (changes: object = {}, cluster: object = {}, user: object = {}): string =>
  encodeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'remote',
        cluster: {
          server: `https://127.0.0.1:${(service.address() as AddressInfo | null)?.port}/review`,
          'certificate-authority': 'ca.crt',
          ...cluster,
        },
      },
    ],
    users: [{ name: 'me', user: { 'client-certificate': 'own.crt', 'client-key': 'own.key', ...user } }],
    contexts: [{ name: 'webhook', context: { cluster: 'remote', user: 'me' } }],
    'current-context': 'webhook',
    ...changes,
  }).toString();

const never = new AbortController().signal;
const partsOf = () => ({
  ...testEnv(),
  clock: systemClock,
  random: systemRandom,
  reloads: new Reloads(),
});
const credentials = (token: string, rest: Partial<Credentials> = {}): Credentials => ({
  headers: { authorization: `Bearer ${token}` },
  clientCertificate: undefined,
  connection: {},
  signal: never,
  ...rest,
});

/** The service is called in real time; its answers are cached by the clock of the test. */
function tokens(apiVersion: string, audiences: readonly string[] = []) {
  const clock = new FakeClock();
  const remote = remoteService('x', configFile, partsOf());
  const metrics = createMetrics();
  const options = {
    remote,
    apiVersion,
    audiences,
    ttlMs: 120_000,
    implicitGroup: 'everybody',
    clock,
    metrics,
  };
  return { clock, metrics, authenticator: tokenWebhookAuthenticator(options) };
}

const v1 = 'authentication.orch.io/v1';
const review = (status: object, apiVersion = v1) => ({ apiVersion, kind: 'TokenReview', status });
const alice = { username: 'alice', uid: '7', groups: ['dev'], extra: { scope: ['a', 'b'] } };
const good = review({ authenticated: true, user: alice });

describe('the token webhook', { timeout: 60_000 }, () => {
  for (const [what, certificate, count] of [
    ['with alternative names', { hosts: ['localhost'] }, 0],
    ['with a common name alone', { hosts: [] }, 1],
  ] as const) {
    it(`the token webhook is counted when other clients would refuse its certificate: ${what}`, async () => {
      const pair = testCertificate({ commonName: 'localhost', use: 'server', ...certificate }, ca);
      const named = createServer(pair, (_incoming, outgoing) => void outgoing.end(JSON.stringify(good)));
      await new Promise<void>((resolve) => named.listen(0, '127.0.0.1', resolve));
      const { port } = named.address() as AddressInfo;
      const metrics = createMetrics();
      const path = file('named.conf', configOf({}, { server: `https://localhost:${port}/` }));
      const remote = remoteService('x', path, { ...partsOf(), metrics });
      try {
        assert.deepEqual(await remote.query('key', {}, never), good);
        assert.match(metrics.text(), new RegExp(`x509_missing_san_total ${count}\\n`));
      } finally {
        named.closeAllConnections();
        named.close();
      }
    });
  }

  for (const apiVersion of [v1, 'authentication.orch.io/v1beta1']) {
    it(`the token webhook receives a TokenReview of ${apiVersion} with the certificate of the server, and names the user`, async () => {
      answer = () => review({ authenticated: true, user: alice }, apiVersion);
      const outcome = await tokens(apiVersion).authenticator.authenticate(credentials('t'));
      assert.deepEqual(outcome, {
        kind: 'user',
        user: { name: 'alice', uid: '7', groups: ['dev', 'everybody'], extra: { scope: ['a', 'b'] } },
      });
      assert.deepEqual(seen, [
        { body: { apiVersion, kind: 'TokenReview', spec: { token: 't' } }, client: 'CN=apiserver' },
      ]);
    });
  }

  for (const [what, response, reason] of [
    ['reports an invalid token', review({ authenticated: false }), /does not know the token/],
    ['reports a reason', review({ authenticated: false, error: 'too old' }), /^too old$/],
    [
      'answers in another version',
      review({ authenticated: true, user: alice }, 'authentication.orch.io/v1beta1'),
      /not an .*v1 TokenReview/,
    ],
    ['answers another kind', { ...good, kind: 'Status' }, /not an .*v1 TokenReview/],
    ['names no user', review({ authenticated: true, user: {} }), /not an .*v1 TokenReview/],
    ['takes 1 for true', review({ authenticated: 1, user: alice }), /does not know the token/],
    ['answers 403', 403, /it answered 403/],
  ] as const) {
    it(`the token webhook authenticates no user when it ${what}`, async () => {
      answer = () => response;
      const outcome = await tokens(v1).authenticator.authenticate(credentials('t'));
      assert.ok(outcome.kind === 'rejected');
      assert.match(outcome.reason, reason);
    });
  }

  for (const [what, audiences, requested, confirmed, expected] of [
    ['the audiences of the server are requested', ['api'], undefined, ['api'], ['api']],
    ['its answer without audiences means this server', ['api'], undefined, undefined, ['api']],
    ['its answer has other audiences only', ['api'], undefined, ['vault'], 'rejected'],
    ['other audiences are requested', ['api'], ['vault', 'x'], ['vault'], ['vault']],
    ['other audiences are requested, and the answer has none', ['api'], ['vault'], undefined, 'rejected'],
  ] as const) {
    it(`the token webhook checks the audiences of a token: ${what}`, async () => {
      answer = () =>
        review({
          authenticated: true,
          user: alice,
          ...(confirmed === undefined ? {} : { audiences: confirmed }),
        });
      const { authenticator } = tokens(v1, audiences);
      const outcome = await authenticator.authenticate(
        credentials('t', requested === undefined ? {} : { audiences: requested }),
      );
      assert.deepEqual(outcome.kind === 'user' ? outcome.audiences : outcome.kind, expected);
      assert.deepEqual(seen[0]?.body['spec'], { token: 't', audiences: requested ?? audiences });
    });
  }

  it('the token webhook has its answers cached, both positive and negative ones', async () => {
    for (const response of [good, review({ authenticated: false })]) {
      seen = [];
      answer = () => response;
      const { authenticator, clock } = tokens(v1);
      const first = await authenticator.authenticate(credentials('t'));
      assert.equal(authenticator.authenticate(credentials('t')), first);
      clock.advance(119_999);
      assert.equal(authenticator.authenticate(credentials('t')), first);
      clock.advance(1);
      await authenticator.authenticate(credentials('t'));
      assert.equal(seen.length, 2);
    }
  });

  it('the token webhook receives one request at a time for a token', async () => {
    answer = () => good;
    const { authenticator } = tokens(v1);
    await Promise.all(['t', 'u', 't', 't'].map((token) => authenticator.authenticate(credentials(token))));
    assert.deepEqual(seen.map(({ body }) => (body['spec'] as { token: string }).token).sort(), ['t', 'u']);
  });

  it('the token webhook is retried after temporary failures, which are not cached', async () => {
    let failures = 1;
    answer = () => (failures-- > 0 ? 503 : good);
    const { authenticator } = tokens(v1);
    assert.equal((await authenticator.authenticate(credentials('t'))).kind, 'user');
    assert.equal(seen.length, 2);
  });

  it('the token webhook is not waited for beyond the deadline of the request', async () => {
    answer = () => undefined;
    const request = new AbortController();
    const pending = tokens(v1).authenticator.authenticate(credentials('t', { signal: request.signal }));
    request.abort(new Error('gone'));
    await assert.rejects(async () => pending, /gone/);
  });

  it('the token webhook is called for every token although it refuses many requests', async () => {
    answer = () => 403;
    const { authenticator } = tokens(v1);
    for (let count = 0; count < 8; count++) await authenticator.authenticate(credentials(`left${count}`));
    assert.equal(seen.filter(({ body }) => JSON.stringify(body).includes('left')).length, 8);
  });

  for (const [what, text, message] of [
    ['invalid YAML', 'a: [', /at line 1/],
    ['no context', () => configOf({ 'current-context': '' }), /current-context: a context is required/],
    ['a missing context', () => configOf({ 'current-context': 'x' }), /contexts: there is none named "x"/],
    ['no address', () => configOf({}, { server: '' }), /cluster\.server: "" is not an http or https URL/],
    [
      'a missing authority',
      () => configOf({}, { 'certificate-authority': 'none' }),
      /certificate-authority: .*ENOENT/,
    ],
    ['a key without a certificate', () => configOf({}, {}, { 'client-key': '' }), /must be given together/],
    ['an invalid key', () => configOf({}, {}, { 'client-key': 'ca.crt' }), /PEM|no start line|unsupported/i],
    ['a program for credentials', () => configOf({}, {}, { exec: {} }), /user\.exec: is not supported/],
  ] as const) {
    it(`the token webhook fails the start for a file with ${what}`, async () => {
      const path = file('bad.conf', typeof text === 'string' ? text : text());
      assert.throws(
        () => remoteService('some-flag', path, partsOf()),
        (error) =>
          error instanceof StartError &&
          error.message.startsWith(`--some-flag ${path}: `) &&
          message.test(error.message),
      );
    });
  }
});

const user = { name: 'alice', uid: '7', groups: ['dev'], extra: { scope: ['a'] } };
const podRead: Attributes = {
  user,
  isResource: true,
  verb: 'get',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: 'log',
  namespace: 'ns',
  name: 'p',
};
const pathRead: Attributes = { user, isResource: false, verb: 'get', path: '/version' };

function decider(version: 'v1' | 'v1beta1', onFailure: 'noOpinion' | 'deny' = 'noOpinion') {
  const clock = new FakeClock();
  const remote = remoteService('x', configFile, partsOf());
  const authorizer = webhookAuthorizer({
    remote,
    group: 'authorization.orch.io',
    version,
    authorizedTtlMs: 300_000,
    unauthorizedTtlMs: 30_000,
    onFailure,
    metrics: createMetrics(),
    name: 'default',
    clock,
  });
  return {
    clock,
    authorize: async (attributes: Attributes) => authorizer.authorize(attributes, { signal: never }),
  };
}
const decided = (status: object, version = 'v1') => ({
  apiVersion: `authorization.orch.io/${version}`,
  kind: 'SubjectAccessReview',
  status,
});

describe('the mode Webhook', { timeout: 60_000 }, () => {
  for (const [version, groups] of [
    ['v1', 'groups'],
    ['v1beta1', 'group'],
  ] as const) {
    it(`the mode Webhook sends a SubjectAccessReview of ${version}`, async () => {
      answer = () => decided({ allowed: true, reason: 'why not' }, version);
      const { authorize } = decider(version);
      assert.deepEqual(await authorize(podRead), { verdict: 'allow', reason: 'why not' });
      await authorize(pathRead);
      const who = { user: 'alice', [groups]: ['dev'], extra: { scope: ['a'] }, uid: '7' };
      const { apiVersion, kind } = decided({}, version);
      assert.deepEqual(
        seen.map(({ body }) => body),
        [
          {
            apiVersion,
            kind,
            spec: {
              resourceAttributes: {
                namespace: 'ns',
                verb: 'get',
                version: 'v1',
                resource: 'pods',
                subresource: 'log',
                name: 'p',
              },
              ...who,
            },
          },
          { apiVersion, kind, spec: { nonResourceAttributes: { path: '/version', verb: 'get' }, ...who } },
        ],
      );
    });
  }

  for (const [what, response, verdict] of [
    ['that allows', decided({ allowed: true }), 'allow'],
    ['that denies', decided({ allowed: false, denied: true, reason: 'no' }), 'deny'],
    ['that neither allows nor denies', decided({ allowed: false }), 'noOpinion'],
    ['that allows and denies', decided({ allowed: true, denied: true }), 'failure'],
    ['in another version', decided({ allowed: true }, 'v1beta1'), 'failure'],
    ['without a decision', decided({}), 'failure'],
    ['that is an error', 403, 'failure'],
  ] as const) {
    it(`the mode Webhook treats an answer ${what} as ${verdict}`, async () => {
      answer = () => response;
      for (const onFailure of ['noOpinion', 'deny'] as const) {
        const expected = verdict === 'failure' ? onFailure : verdict;
        assert.equal((await decider('v1', onFailure).authorize(podRead)).verdict, expected);
      }
    });
  }

  for (const [what, status, ttlMs] of [
    ['that allow', { allowed: true }, 300_000],
    ['that deny', { allowed: false }, 30_000],
  ] as const) {
    it(`the authorization webhook caches answers ${what} for ${ttlMs / 1000} s`, async () => {
      answer = () => decided(status);
      const { authorize, clock } = decider('v1');
      await authorize(podRead);
      clock.advance(ttlMs - 1);
      await authorize(podRead);
      assert.equal(seen.length, 1);
      clock.advance(1);
      await authorize(podRead);
      assert.equal(seen.length, 2);
    });
  }

  it('the authorization webhook caches neither failures nor very large requests', async () => {
    const { authorize } = decider('v1');
    answer = () => 403;
    await authorize(podRead);
    answer = () => decided({ allowed: true });
    assert.equal((await authorize(podRead)).verdict, 'allow');
    const long = { ...podRead, name: 'x'.repeat(10_000) };
    await authorize(long);
    await authorize(long);
    assert.equal(seen.length, 4);
  });
});
