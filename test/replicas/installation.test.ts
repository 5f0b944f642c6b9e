import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { poll, testEnv } from '@orch/machinery/testing';
import { openEtcdStore } from '@orch/storage/etcd';
import { startEtcd } from '@orch/storage/testing';
import {
  ApiClient,
  type ClientConfig,
  freePort,
  type LaunchedServer,
  launchServer,
  type RunningProcess,
  readClientConfig,
  representativeKubectls,
  run,
  start,
  temporaryFolder,
} from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const namespaces = '/api/v1/namespaces';
/** Threads of each server: every one reads the files again. */
const threads = Number(process.env['ORCH_TEST_THREADS'] ?? 1);

/** Two replicas on etcd and a controller manager, over the files of `orch init`. */
class Installation implements AsyncDisposable {
  readonly #work = temporaryFolder();
  readonly pki = join(this.#work.path, 'pki');
  readonly replicas: { readonly port: number; server: LaunchedServer | undefined }[] = [];
  etcd: Awaited<ReturnType<typeof startEtcd>> | undefined;
  #manager: RunningProcess | undefined;

  async start(): Promise<void> {
    this.etcd = await startEtcd();
    for (let at = 0; at < 2; at++) this.replicas.push({ port: await freePort(), server: undefined });
    await this.init(`--server=${this.url(0)}`, '--naming=kubernetes');
    for (const at of this.replicas.keys()) await this.startReplica(at);
    await this.startManager();
  }

  /** Runs `orch init`; returns its report. */
  async init(...argv: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await run(join(root, 'bin', 'orch'), [
      'init',
      `--dir=${this.pki}`,
      ...argv,
    ]);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  url(at: number): string {
    return `https://127.0.0.1:${this.replicas[at]?.port ?? 0}`;
  }

  file(name: string): string {
    return join(this.pki, name);
  }

  /** The present client configuration of administrators, for one replica. */
  admin(at: number): ClientConfig {
    return { ...readClientConfig(this.file('admin.conf')), server: this.url(at) };
  }

  async startReplica(at: number): Promise<void> {
    const replica = this.replicas[at] ?? assert.fail();
    await replica.server?.stop();
    await replica.server?.[Symbol.asyncDispose]();
    replica.server = await launchServer({
      naming: 'kubernetes',
      etcd: this.etcd?.endpoints ?? [],
      requiresAccounts: true,
      port: replica.port,
      args: [
        '--authorization-mode=RBAC',
        `--tls-cert-file=${this.file('apiserver.crt')}`,
        `--tls-private-key-file=${this.file('apiserver.key')}`,
        `--client-ca-file=${this.file('client-ca.crt')}`,
        `--requestheader-client-ca-file=${this.file('front-proxy-ca.crt')}`,
        '--requestheader-allowed-names=front-proxy-client',
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        `--proxy-client-cert-file=${this.file('front-proxy-client.crt')}`,
        `--proxy-client-key-file=${this.file('front-proxy-client.key')}`,
        `--service-account-key-file=${this.file('service-account.pub')}`,
        `--service-account-signing-key-file=${this.file('service-account.key')}`,
        `--encryption-provider-config=${this.file('encryption.yaml')}`,
      ],
    });
    await poll('the replica is ready', 60_000, async () => {
      using client = new ApiClient(this.admin(at));
      return (await client.get('/readyz')).status === 200;
    });
  }

  async startManager(): Promise<void> {
    await this.#manager?.stop();
    this.#manager = start(join(root, 'bin', 'orch-controller-manager'), [
      '--naming=kubernetes',
      `--client-config=${this.file('controller-manager.conf')}`,
      `--cluster-signing-cert-file=${this.file('client-ca.crt')}`,
      `--cluster-signing-key-file=${this.file('client-ca.key')}`,
      `--service-account-private-key-file=${this.file('service-account.key')}`,
      `--root-ca-file=${this.file('serving-ca.crt')}`,
      '--use-service-account-credentials',
      '--leader-elect-lease-duration=4s',
      '--leader-elect-renew-deadline=3s',
      '--leader-elect-retry-period=500ms',
    ]);
  }

  /** Creates a namespace, and waits for the account that the controllers create in it. */
  async controllersWork(namespace: string): Promise<void> {
    using client = new ApiClient(this.admin(0));
    const made = await client.post(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    assert.equal(made.status, 201, made.text);
    await poll(`the default account of ${namespace}`, 60_000, async () => {
      const account = await client.get(`${namespaces}/${namespace}/serviceaccounts/default`);
      return account.status === 200;
    });
  }

  async token(at: number): Promise<string> {
    using client = new ApiClient(this.admin(at));
    const path = `${namespaces}/default/serviceaccounts/default/token`;
    const made = await client.post(path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    assert.equal(made.status, 201, made.text);
    return (made.json as { readonly status: { readonly token: string } }).status.token;
  }

  /** The status of a request by a token: 403 when it is valid, since the account has no permissions. */
  async statusOf(token: string, at: number): Promise<number> {
    using client = new ApiClient({ ...this.admin(at), cert: undefined, key: undefined, token });
    return (await client.get(`${namespaces}/default/secrets`)).status;
  }

  /** Number of reloads of certificates by the threads of each replica so far. */
  reloads(): readonly number[] {
    return this.replicas.map(
      ({ server }) => server?.output().match(/certificates were reloaded/g)?.length ?? 0,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#manager?.[Symbol.asyncDispose]();
    for (const { server } of this.replicas) await server?.[Symbol.asyncDispose]();
    await this.etcd?.[Symbol.asyncDispose]();
    this.#work[Symbol.dispose]();
  }
}

/** Of a client between two connections: the servers have time for the rotation. */
const PAUSE_MS = 20;

/** A client that connects to each replica again and again, and records every failure. */
function steadyClient(installation: Installation) {
  const failures: string[] = [];
  let isOver = false;
  let requests = 0;
  const configs = [0, 1].map((at) => installation.admin(at));
  const loop = async (at: number): Promise<void> => {
    while (!isOver) {
      const config = configs[at] ?? assert.fail();
      try {
        using client = new ApiClient(config);
        const { status, text } = await client.get(`${namespaces}/default`);
        if (status !== 200) failures.push(`replica ${at}: ${status} ${text}`);
      } catch (error) {
        failures.push(`replica ${at}: ${String(error)}`);
      }
      requests++;
      await pause(PAUSE_MS);
    }
  };
  const loops = [loop(0), loop(1)];
  return {
    /** Reads the changed client configuration, as an administrator who receives it. */
    reload(): void {
      for (const at of [0, 1]) configs[at] = installation.admin(at);
    },
    async end(): Promise<{ readonly failures: readonly string[]; readonly requests: number }> {
      isOver = true;
      await Promise.all(loops);
      return { failures, requests };
    },
  };
}

describe('replicas over the files of orch init', { timeout: 300_000 }, () => {
  let installation: Installation;

  before(async () => {
    installation = new Installation();
    await installation.start();
  });
  after(() => installation[Symbol.asyncDispose]());

  it('kubectl reaches every replica with admin.conf, and the controllers work with controller-manager.conf', async () => {
    for (const { path } of await representativeKubectls(root))
      for (const at of [0, 1]) {
        const args = [`--kubeconfig=${installation.file('admin.conf')}`, `--server=${installation.url(at)}`];
        const { code, stdout, stderr } = await run(path, [...args, 'get', 'namespaces', '-o', 'name']);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /namespace\/kube-system/);
      }
    await installation.controllersWork('first');
  });

  it('each replica accepts the tokens of the other, and secrets are encrypted in etcd', async () => {
    await installation.controllersWork('tokens');
    for (const [issuer, other] of [
      [0, 1],
      [1, 0],
    ] as const)
      assert.equal(await installation.statusOf(await installation.token(issuer), other), 403);
    using client = new ApiClient(installation.admin(0));
    const data = { password: Buffer.from('plain words').toString('base64') };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db' }, data };
    assert.equal((await client.post(`${namespaces}/default/secrets`, secret)).status, 201);
    using other = new ApiClient(installation.admin(1));
    const read = (await other.get(`${namespaces}/default/secrets/db`)).json as { readonly data: unknown };
    assert.deepEqual(read.data, data);
    const signal = AbortSignal.timeout(30_000);
    const store = await openEtcdStore(
      { endpoints: installation.etcd?.endpoints ?? [], env: testEnv() },
      signal,
    );
    try {
      const { kv } = await store.get('/registry/secrets/default/db', signal);
      assert.match(kv?.value?.subarray(0, 24).toString() ?? '', /^k8s:enc:aesgcm:v1:key1:/);
    } finally {
      await store.close();
    }
  });

  it('clients and controllers work without a failed request while all authorities are rotated', async () => {
    const client = steadyClient(installation);
    const step = async (flag: string): Promise<void> => {
      const before = installation.reloads();
      await installation.init(`--${flag}=serving,clients,front-proxy`, '--rotate-wait=0s');
      await poll('the replicas reload their files', 60_000, async () =>
        installation.reloads().every((count, at) => count >= (before[at] ?? 0) + threads),
      );
      for (const at of [0, 1]) {
        using changed = new ApiClient(installation.admin(at));
        assert.equal((await changed.get(`${namespaces}/default`)).status, 200, `${flag}, replica ${at}`);
      }
      client.reload();
    };
    const old = installation.admin(0);
    await step('rotate');
    // Controller managers read the authorities of the server when they start.
    await installation.startManager();
    await installation.controllersWork('prepared');
    await step('rotate-switch');
    await installation.controllersWork('switched');
    await step('rotate-finish');
    await installation.controllersWork('finished');
    const { failures, requests } = await client.end();
    assert.deepEqual(failures, []);
    assert.ok(requests > 20);
    using replaced = new ApiClient({ ...installation.admin(0), cert: old.cert, key: old.key });
    assert.equal((await replaced.get(`${namespaces}/default`)).status, 401);
    using distrusting = new ApiClient({ ...installation.admin(0), ca: old.ca });
    await assert.rejects(distrusting.get('/readyz'), /certificate/);
  });

  it('tokens of the old and the new key are valid on every replica until the rotation is finished', async () => {
    const old = await installation.token(0);
    const accepted = async (token: string): Promise<void> => {
      for (const at of [0, 1]) assert.equal(await installation.statusOf(token, at), 403, `replica ${at}`);
    };
    for (const flag of ['rotate', 'rotate-switch']) {
      await installation.init(`--${flag}=service-account`, '--rotate-wait=0s');
      for (const at of [0, 1]) {
        await installation.startReplica(at);
        // One replica uses the files of this step, the other one those of the step before.
        await accepted(await installation.token(at));
        await accepted(old);
      }
    }
    const current = await installation.token(0);
    await installation.init('--rotate-finish=service-account', '--rotate-wait=0s');
    for (const at of [0, 1]) await installation.startReplica(at);
    await accepted(current);
    for (const at of [0, 1]) assert.equal(await installation.statusOf(old, at), 401);
  });
});

describe('the program orch init', () => {
  const init = (...argv: readonly string[]) => run(join(root, 'bin', 'orch'), ['init', ...argv]);

  it('processes over one folder at the same time create it once, and print a table', async () => {
    using work = temporaryFolder();
    const all = await Promise.all([1, 2, 3].map(() => init(`--dir=${join(work.path, 'pki')}`)));
    // On a busy machine a process reports that it waits for another one.
    const isReport = (line: string): boolean => line === '' || line.includes('waiting for another process');
    assert.deepEqual(
      all.map(({ code, stderr }) => [code, stderr.split('\n').filter((line) => !isReport(line))]),
      all.map(() => [0, []]),
    );
    assert.equal(all.filter(({ stdout }) => /^admin\.key +created$/m.test(stdout)).length, 1);
    assert.equal(all.filter(({ stdout }) => /^admin\.key +kept$/m.test(stdout)).length, 2);
  });

  it('the authorities and the key of tokens of a server with --cert-dir are kept, and administrators have access', async () => {
    using work = temporaryFolder();
    const certDir = join(work.path, 'certs');
    await using server = await launchServer({ certDir });
    const { code, stdout, stderr } = await init(`--dir=${certDir}`, `--server=${server.url}`);
    assert.equal(code, 0, stderr);
    for (const file of ['serving-ca.key', 'client-ca.key', 'service-account.key'])
      assert.match(stdout, new RegExp(`^${file} +kept$`, 'm'));
    using client = new ApiClient(readClientConfig(join(certDir, 'admin.conf')));
    assert.equal((await client.get(namespaces)).status, 200);
  });

  for (const [argv, code, stderr] of [
    [
      ['--rotate-swich=clients'],
      2,
      /^orch init: unknown flag: --rotate-swich; did you mean --rotate-switch\?\n$/,
    ],
    [['--san=a:1'], 2, /^orch init: invalid value "a:1" for --san: [^\n]*\n$/],
    [['--dir=/dev/null'], 1, /^orch init: --dir \/dev\/null: [^\n]*\n$/],
    [['--help'], 0, /^$/],
  ] as const)
    it(`orch init ${argv.join(' ')} ends with status ${code} and at most one line`, async () => {
      const result = await init(...argv);
      assert.equal(result.code, code);
      assert.match(result.stderr, stderr);
    });
});
