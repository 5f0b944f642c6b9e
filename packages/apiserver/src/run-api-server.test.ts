import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testCertificate } from '@orch/pki/x509/testing';
import { StartError } from '@orch/program';
import {
  adminOf,
  get,
  type Identity,
  openRequest,
  type Run,
  settingsOfArguments,
  startInProcess,
} from './testing/run-in-process.ts';

const work = mkdtempSync(join(tmpdir(), 'orch-run-'));
after(() => rmSync(work, { recursive: true }));

const start = (name: string, ...argv: readonly string[]): Promise<Run> =>
  startInProcess(join(work, name), ...argv);

async function create(url: string, identity: Identity, object: object): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', ...object });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  await new Promise((resolve, reject) => {
    request(url, { ...identity, agent: false, method: 'POST', headers }, resolve)
      .on('error', reject)
      .end(body);
  });
}

describe('a running API server', () => {
  let run: Run;
  let admin: Required<Identity>;
  const own = testCertificate({ commonName: 'own-ca', use: 'authority' });
  before(async () => {
    writeFileSync(join(work, 'tokens'), 'secret,alice,1\n');
    writeFileSync(join(work, 'own-ca'), own.cert);
    run = await start(
      'main',
      `--token-auth-file=${work}/tokens`,
      `--client-ca-file=${work}/own-ca`,
      '--ops-bind-address=127.0.0.1:0',
    );
    admin = adminOf(run);
  });
  after(() => run.stop());

  it('a running API server is ready, and reports it on both ports', async () => {
    assert.deepEqual(await get(`${run.url}/readyz`, admin), { status: 200, text: 'ok' });
    const verbose = (await get(`${run.url}/readyz?verbose`, admin)).text;
    assert.deepEqual(verbose.match(/(?<=\[\+\])\S+/g), [
      'ping',
      'log',
      'etcd',
      'storage-space',
      'token-auth-file',
      'certificate/client-ca-file',
      'informer-sync',
      'serving-threads',
      'poststarthook/generic-apiserver-start-informers',
      'poststarthook/priority-and-fairness-config-consumer',
      'poststarthook/priority-and-fairness-filter',
      'poststarthook/bootstrap-controller',
      'poststarthook/rbac/bootstrap-roles',
      'poststarthook/scheduling/bootstrap-system-priority-classes',
      'poststarthook/priority-and-fairness-config-producer',
      'poststarthook/start-cluster-authentication-info-controller',
      'shutdown',
    ]);
    assert.equal((await fetch(`http://${run.ops}/readyz`)).status, 200);
    const metrics = await (await fetch(`http://${run.ops}/metrics`)).text();
    for (const name of [
      'apiserver_request_total',
      'process_resident_memory_bytes',
      'orch_build_info',
      'apiserver_tls_handshake_errors_total',
    ]) {
      assert.match(metrics, new RegExp(`^${name}[{ ]`, 'm'));
    }
  });

  it('a running API server reports the emulated release', async () => {
    const version = JSON.parse((await get(`${run.url}/version`, admin)).text);
    assert.deepEqual([version.major, version.minor], ['1', '24']);
    assert.match(version.gitVersion, /^v1\.24\.0\+orch\.1$/);
  });

  it('a running API server serves objects', async () => {
    const list = JSON.parse((await get(`${run.url}/api/v1/namespaces`, admin)).text);
    assert.deepEqual(list.items.map((item: { metadata: { name: string } }) => item.metadata.name).sort(), [
      'default',
      'orch-node-lease',
      'orch-public',
      'orch-system',
    ]);
  });

  it('a running API server lists its paths', async () => {
    const { paths } = JSON.parse((await get(`${run.url}/`, admin)).text);
    for (const path of [
      '/api',
      '/api/v1',
      '/apis',
      '/healthz',
      '/livez',
      '/metrics',
      '/openapi/v2',
      '/readyz',
      '/version',
    ]) {
      assert.ok(paths.includes(path), path);
    }
  });

  it("a running API server authenticates users by token, by a certificate of the server, and by one of the operator's authority", async () => {
    const { ca } = admin;
    const client = (issuer?: typeof own) => ({
      ca,
      ...testCertificate({ commonName: 'bob', use: 'client' }, issuer),
    });
    const url = `${run.url}/version`;
    assert.equal((await get(url, { ca })).status, 401);
    assert.equal((await get(url, { ca }, { authorization: 'Bearer secret' })).status, 200);
    assert.equal((await get(url, { ca }, { authorization: 'Bearer other' })).status, 401);
    assert.equal((await get(url, client(own))).status, 200);
    assert.equal((await get(url, client())).status, 401, 'a certificate that signs itself');
    assert.equal((await get(url, client(), { authorization: 'Bearer secret' })).status, 200);
    const server = {
      ...testCertificate({ commonName: 'bob', use: 'server' }, own),
      ca,
    };
    assert.equal((await get(url, server)).status, 401, 'a certificate for another use');
  });

  it('a running API server authenticates a client whose TLS session is resumed', async () => {
    const agent = new Agent({ keepAlive: false, maxCachedSessions: 10 });
    const resumed: boolean[] = [];
    for (let count = 0; count < 3; count++) {
      const response = await openRequest(`${run.url}/version`, { ...admin, agent });
      resumed.push((response.socket as unknown as { isSessionReused(): boolean }).isSessionReused());
      assert.equal(response.statusCode, 200);
      for await (const _ of response);
    }
    assert.deepEqual(resumed, [false, true, true]);
  });
});

describe('the shutdown of an API server', () => {
  it('the shutdown of an API server completes watches, and keeps what was written', async () => {
    const first = await start('end');
    const response = await openRequest(
      `${first.url}/api/v1/namespaces?watch=1&allowWatchBookmarks=true`,
      adminOf(first),
    );
    const lines: { type: string }[] = [];
    let stopped: Promise<void> | undefined;
    const watched = (async () => {
      for await (const chunk of response) {
        for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line));
        // One change after the initial state: the watch has then delivered that state.
        if (lines.length === 4)
          void create(`${first.url}/api/v1/namespaces`, adminOf(first), { metadata: { name: 'fifth' } });
        if (lines.length === 5) stopped = first.stop();
      }
    })();
    await watched;
    await stopped;
    assert.equal(response.complete, true);
    assert.deepEqual(
      lines.map(({ type }) => type),
      [...Array(5).fill('ADDED'), 'BOOKMARK'],
    );
    const second = await start('end');
    assert.equal((await get(`${second.url}/api/v1/namespaces/fifth`, adminOf(second))).status, 200);
    await second.stop();
  });

  it('the shutdown of an API server is announced by readyz, while requests are still served', async () => {
    const run = await start('delay', '--shutdown-delay-duration=1s');
    const admin = adminOf(run);
    const stopped = run.stop();
    const readyz = await get(`${run.url}/readyz`, admin);
    assert.equal(readyz.status, 500);
    assert.match(readyz.text, /\n\[-\]shutdown failed: reason withheld\nreadyz check failed\n$/);
    for (const path of ['/livez', '/api/v1/namespaces'])
      assert.equal((await get(run.url + path, admin)).status, 200);
    await stopped;
    await assert.rejects(get(`${run.url}/livez`, admin), /ECONNREFUSED/);
  });
});

describe('an API server that cannot start', () => {
  const failing = async (message: RegExp, name: string, ...argv: string[]) =>
    assert.rejects(
      start(name, ...argv),
      (error) => error instanceof StartError && message.test(error.message),
    );

  it('a failed start of the API server reports the cause', async () => {
    const running = await start('taken');
    try {
      const { port } = new URL(running.url);
      await failing(
        /^cannot serve on 127\.0\.0\.1:\d+: listen EADDRINUSE/,
        'second',
        `--secure-port=${port}`,
      );
      await failing(/^cannot open the store \(.*taken\/data\): /, 'taken');
      await failing(/^--token-auth-file: ENOENT/, 'third', '--token-auth-file=/nonexistent');
      await failing(
        /^--admission-control-config-file: ENOENT/,
        'third',
        '--admission-control-config-file=/nonexistent',
      );
      writeFileSync(join(work, 'bad-admission'), 'kind: Other\n');
      await failing(
        /^--admission-control-config-file .*bad-admission: line 1: kind: must be one of AdmissionConfiguration/,
        'third',
        `--admission-control-config-file=${join(work, 'bad-admission')}`,
      );
      await failing(
        /^--admission-control-config-file: EventRateLimit is enabled and requires a configuration$/,
        'third',
        '--enable-admission-plugins=EventRateLimit',
      );
      writeFileSync(
        join(work, 'lost-plugin'),
        'apiVersion: apiserver.config.orch.io/v1\nkind: AdmissionConfiguration\nplugins: [{name: PodSecurity, path: none.yaml}]\n',
      );
      // Before the store is opened: the folder of this one is in use.
      await failing(
        /^--admission-control-config-file .*lost-plugin: line 3: plugins\[0\]\.path: ENOENT/,
        'taken',
        `--admission-control-config-file=${join(work, 'lost-plugin')}`,
      );
      await failing(
        /^--encryption-provider-config: ENOENT/,
        'third',
        '--encryption-provider-config=/nonexistent',
      );
      writeFileSync(join(work, 'bad-encryption'), 'kind: Other\n');
      await failing(
        /^--encryption-provider-config .*bad-encryption: line 1: kind: must be one of EncryptionConfiguration/,
        'taken',
        `--encryption-provider-config=${join(work, 'bad-encryption')}`,
      );
      await failing(/^--client-ca-file: ENOENT/, 'third', '--client-ca-file=/nonexistent');
      writeFileSync(join(work, 'bad-tokens'), 'x\n');
      await failing(
        /^--token-auth-file .*bad-tokens: line 1: /,
        'third',
        `--token-auth-file=${work}/bad-tokens`,
      );
      await failing(
        /^--client-ca-file .*bad-tokens: .*no certificate/,
        'third',
        `--client-ca-file=${work}/bad-tokens`,
      );
    } finally {
      await running.stop();
    }
  });

  for (const [argv, message] of [
    [['--request-timeout=0s'], /--request-timeout: must be greater than zero$/],
    [['--emulated-version=1.99'], /--emulated-version: must be latest or a release from 1\.15 to 1\.37$/],
    [['--bind-address=localhost'], /--bind-address: must be an IP address$/],
    [['--ops-bind-address=8080'], /--ops-bind-address: must be an address and a port/],
    [['--storage-backend=etcd'], /^--storage-backend=etcd needs --etcd-servers$/],
    [['--storage-backend=embedded', '--etcd-servers=http://x:1'], /^--etcd-servers cannot be used with/],
    [['--etcd-prefix=a b'], /--etcd-prefix: must be a path$/],
  ] as const) {
    it(`the API server refuses the flags ${argv.join(' ')}`, () => {
      assert.throws(
        () => settingsOfArguments(...argv),
        (error) => error instanceof Error && error.name === 'UsageError' && message.test(error.message),
      );
    });
  }

  it('an API server refuses objects that a later release has stored and its own release does not serve', async () => {
    const later = await start('releases', '--naming=kubernetes', '--emulated-version=1.30');
    const policies = `${later.url}/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies`;
    await create(policies, adminOf(later), {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'no-latest' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] },
          ],
        },
        validations: [{ expression: 'true' }],
      },
    });
    await later.stop();
    await assert.rejects(
      start('releases', '--naming=kubernetes', '--emulated-version=1.28'),
      (error) =>
        error instanceof StartError && /k8s\.io no-latest \(served from 1\.30 on/.test(error.message),
    );
  });

  it('an API server that cannot start accepts prefixes with and without slashes', () => {
    for (const [prefix, expected] of [
      ['/registry', '/registry/'],
      ['registry/', '/registry/'],
      ['/a//b/', '/a/b/'],
      ['/', '/'],
      ['', '/'],
    ]) {
      assert.equal(settingsOfArguments(`--etcd-prefix=${prefix}`).storePrefix, expected);
    }
  });
});
