import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { startEtcd } from '@orch/storage/testing';
import { findKubectls, launchServer, launchServerProcess, run, type ServerProcess } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const [oldest] = await findKubectls(root);
const hasOpenssl = ((): boolean => {
  try {
    execFileSync('openssl', ['version']);
    return true;
  } catch {
    return false;
  }
})();

interface Listing {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

interface ComponentStatuses {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly conditions: readonly [{ readonly status: string; readonly message?: string }];
  }[];
}

const namesIn = (json: unknown): readonly string[] => (json as Listing).items.map((one) => one.metadata.name);

for (const naming of ['orch', 'kubernetes'] as const) {
  describe(`orch up with --naming=${naming}`, { timeout: 240_000 }, () => {
    const names = namesFor(naming);
    let server: ServerProcess;
    before(async () => {
      server = await launchServerProcess({
        program: 'orch',
        naming,
        args: ['--v=3', '--ops-bind-address=127.0.0.1:0'],
      });
    });
    after(() => server[Symbol.asyncDispose]());

    const get = async (path: string): Promise<unknown> => (await server.client.send('GET', path)).json;

    it('orch up creates the default account and the root certificate in a new namespace', async () => {
      const made = await server.client.send('POST', '/api/v1/namespaces', {
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } },
      });
      assert.equal(made.status, 201);
      const accounts = await eventually(
        async () => namesIn(await get('/api/v1/namespaces/fresh/serviceaccounts')),
        (found) => found.length > 0,
      );
      assert.deepEqual(accounts, ['default']);
      const maps = await eventually(
        async () => namesIn(await get('/api/v1/namespaces/fresh/configmaps')),
        (found) => found.length > 0,
      );
      assert.deepEqual(maps, [`${names.product === 'orch' ? 'orch' : 'kube'}-root-ca.crt`]);
    });

    it('componentstatuses of orch up report the controllers and the store as healthy', async () => {
      const statuses = async (): Promise<readonly string[]> => {
        const { items } = (await get('/api/v1/componentstatuses')) as ComponentStatuses;
        return items.map(
          ({ metadata, conditions: [{ status, message = '' }] }) => `${metadata.name} ${status} ${message}`,
        );
      };
      const found = await eventually(statuses, ([first]) => first === 'controller-manager True ok');
      assert.deepEqual(found, [
        'controller-manager True ok',
        'etcd-0 True {"health":"true"}',
        'scheduler False ',
      ]);
    });

    it('orch up completes the deletion of a namespace', async () => {
      await server.client.send('POST', '/api/v1/namespaces', {
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'brief' } },
      });
      await server.client.send('DELETE', '/api/v1/namespaces/brief');
      const status = await eventually(
        async () => (await server.client.send('GET', '/api/v1/namespaces/brief')).status,
        (code) => code === 404,
      );
      assert.equal(status, 404);
    });

    it('controllers of orch up use separate service accounts and in-process connections', async () => {
      const user = `${names.users.serviceAccountPrefix}${names.namespaces.system}:root-ca-cert-publisher`;
      await server.process.waitFor(
        new RegExp(
          `"verb":"create","method":"POST","uri":"/api/v1/namespaces/fresh/configmaps"[^\n]*"user":"${user}"[^\n]*"client":""`,
        ),
        20_000,
      );
    });

    it('at a first start of orch up no token request of a controller fails', async () => {
      const tokens = [
        ...server.process
          .output()
          .matchAll(/"uri":"[^"]*\/serviceaccounts\/[^/"]+\/token"[^\n]*?"code":(\d+)/g),
      ];
      assert.ok(tokens.length > 3);
      assert.deepEqual([...new Set(tokens.map(([, status]) => status))], ['201']);
    });

    it('idle controllers of orch up send no requests except watches', async () => {
      const before = await eventually(
        async () => {
          const first = await answered();
          await pause(1_500);
          return { first, second: await answered() };
        },
        ({ first, second }) => first === second,
      );
      await pause(4_000);
      assert.equal(await answered(), before.second);
    });

    /** Requests answered so far; a watch is when it ends. */
    async function answered(): Promise<number> {
      const [, ops = ''] = await server.process.waitFor(/health and metrics on (http:\S+)/, 1_000);
      const metrics = await (await fetch(`${ops}/metrics`)).text();
      const counts = [...metrics.matchAll(/^apiserver_request_total\{[^}]*\} (\d+)$/gm)];
      assert.ok(counts.length > 0);
      return counts.reduce((sum, [, count]) => sum + Number(count), 0);
    }

    const skip = hasOpenssl ? false : 'no openssl on this machine';
    it('a client certificate signed by orch up authenticates at its own server', { skip }, async () => {
      const work = mkdtempSync(join(tmpdir(), 'orch-csr-'));
      try {
        const key = join(work, 'key.pem');
        const csr = join(work, 'csr.pem');
        execFileSync(
          'openssl',
          [
            'req',
            '-new',
            '-newkey',
            'ec',
            '-pkeyopt',
            'ec_paramgen_curve:P-256',
            '-nodes',
            '-keyout',
            key,
            '-out',
            csr,
            '-subj',
            '/O=devs/CN=ann',
          ],
          { stdio: 'ignore' },
        );
        await sign(readFileSync(csr));
        const certificate = await eventually(signed, (text) => text !== '');
        assert.equal(
          await statusAs(Buffer.from(certificate, 'base64'), readFileSync(key)),
          403,
          'authenticated without permissions',
        );
      } finally {
        rmSync(work, { recursive: true });
      }
    });

    const path = `/apis/${names.groups.certificates}/v1/certificatesigningrequests`;

    async function sign(csr: Buffer): Promise<void> {
      const made = await server.client.send('POST', path, {
        body: {
          apiVersion: `${names.groups.certificates}/v1`,
          kind: 'CertificateSigningRequest',
          metadata: { name: 'ann' },
          spec: {
            request: csr.toString('base64'),
            signerName: names.signers.apiserverClient,
            usages: ['client auth'],
          },
        },
      });
      assert.equal(made.status, 201, made.text);
      const object = made.json as { status?: object };
      const condition = { type: 'Approved', status: 'True', reason: 'Test', message: 'good' };
      const approved = await server.client.send('PUT', `${path}/ann/approval`, {
        body: { ...object, status: { conditions: [condition] } },
      });
      assert.equal(approved.status, 200, approved.text);
    }

    async function signed(): Promise<string> {
      const { status } = (await get(`${path}/ann`)) as { status?: { certificate?: string } };
      return status?.certificate ?? '';
    }

    const statusAs = (cert: Buffer, key: Buffer): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const agent = new Agent({ cert, key, ca: server.config.ca });
        request(`${server.url}/api/v1/pods`, { agent }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });

    it('orch up exits with status 0 within ten seconds of SIGTERM', async () => {
      const started = performance.now();
      const { code } = await server.process.stop('SIGTERM');
      assert.equal(code, 0, server.process.output().slice(-2000));
      assert.ok(performance.now() - started < 10_000);
    });
  });
}

describe('orch up and kubectl', { timeout: 180_000 }, () => {
  const skip = oldest === undefined ? 'no kubectl on this machine' : false;
  it('kubectl shows the rules of aggregated cluster roles of orch up', { skip }, async () => {
    assert.ok(oldest);
    await using server = await launchServer({ program: 'orch', naming: 'kubernetes' });
    const env = { KUBECONFIG: server.adminConfig };
    const { path } = oldest;
    const rules = await eventually(
      async () =>
        (await run(path, ['get', 'clusterrole', 'view', '-o', 'jsonpath={.rules}'], { env })).stdout,
      (text) => text.includes('configmaps'),
    );
    assert.match(rules, /configmaps/);
  });
});

describe('orch up on etcd', { timeout: 240_000 }, () => {
  it('one of two orch up processes on etcd runs controllers, and the other takes over when it ends', async () => {
    await using etcd = await startEtcd();
    const certDir = mkdtempSync(join(tmpdir(), 'orch-up-certs-'));
    const options = { program: 'orch', etcd: etcd.endpoints, certDir } as const;
    try {
      await using first = await launchServerProcess(options);
      await first.process.waitFor(/"msg":"leading"/, 30_000);
      await using second = await launchServerProcess(options);
      await second.process.waitFor(/"msg":"standing by"/, 30_000);
      const isHealthy = async ({ client }: ServerProcess): Promise<boolean> => {
        const { json } = await client.get('/api/v1/componentstatuses/controller-manager');
        return (json as ComponentStatuses['items'][number]).conditions[0].status === 'True';
      };
      for (const server of [first, second]) assert.ok(await eventually(() => isHealthy(server), Boolean));
      assert.equal((await first.process.stop('SIGTERM')).code, 0);
      assert.match(first.process.output(), /"msg":"released the Lease"/);
      await second.process.waitFor(/"msg":"leading"/, 10_000);
      assert.ok(await eventually(() => isHealthy(second), Boolean));
    } finally {
      rmSync(certDir, { recursive: true, force: true });
    }
  });
});

describe('flags of orch up', { timeout: 180_000 }, () => {
  for (const [title, flag, code, message] of [
    [
      'an unknown controller',
      '--controllers=*,nonsense',
      2,
      /^orch: invalid value "nonsense" for --controllers/,
    ],
    ['a missing file', '--root-ca-file=/nonexistent', 1, /^orch: --root-ca-file: ENOENT/],
  ] as const) {
    it(`orch up refuses ${title} before it starts the server`, async () => {
      const work = mkdtempSync(join(tmpdir(), 'orch-up-'));
      try {
        const { stderr, ...result } = await run(join(root, 'bin', 'orch'), [
          'up',
          '--secure-port=0',
          `--cert-dir=${work}/certs`,
          `--data-dir=${work}/data`,
          flag,
        ]);
        assert.deepEqual([result.code, result.stdout], [code, '']);
        assert.match(stderr, message);
        assert.doesNotMatch(stderr, /\n.+\n/);
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    });
  }

  it('orch up runs only the controllers of --controllers', async () => {
    await using server = await launchServer({
      program: 'orch',
      args: ['--controllers=serviceaccount', '--use-service-account-credentials=false', '--v=3'],
    });
    await server.waitFor(/"msg":"controllers start","controllers":\["serviceaccount"\]/, 20_000);
    const user = namesFor('orch').users.controllerManager;
    await server.waitFor(
      new RegExp(`"method":"POST","uri":"/api/v1/namespaces/default/serviceaccounts"[^\n]*"user":"${user}"`),
      20_000,
    );
  });
});
