import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import { runCommandLine } from '@orch/orchctl/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import {
  type ApiResponse,
  extensionAccount,
  type LaunchedServer,
  launchServer,
  podAddressOfMachine,
  type RunningProcess,
  registerExtension,
  representativeKubectls,
  run,
  start,
  temporaryFolder,
} from '@orch/testkit';

const root = join(import.meta.dirname, '../..');
const address = podAddressOfMachine();
const ifAddress = address === undefined ? { skip: 'this machine has no address besides loopback' } : {};
const kubectls = await representativeKubectls(root);
const GROUP = 'metrics.k8s.io';
const base = `/apis/${GROUP}/v1beta1`;
const rbac = 'rbac.authorization.k8s.io';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Fields of objects, lists and tables that the tests read. */
interface Body {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
  readonly items: readonly { readonly metadata: object }[];
  readonly rows: readonly { readonly object: { readonly kind: string } }[];
}

type Answer = Omit<ApiResponse, 'json'> & { readonly json: Body };

describe('the example of an extension API server', { timeout: 120_000, ...ifAddress }, () => {
  const authority = testCertificate({ commonName: 'metrics', use: 'authority' });
  const tls = testCertificate(
    { commonName: 'metrics', use: 'server', hosts: ['metrics.default.svc'] },
    authority,
  );
  const folder = temporaryFolder();
  let server: LaunchedServer;
  let example: RunningProcess;

  const file = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    (await server.client.get(path, { headers })) as Answer;

  async function create(path: string, body: object): Promise<Answer> {
    const created = await server.client.post(path, body);
    assert.equal(created.status, 201, created.text);
    return created as Answer;
  }

  before(async () => {
    server = await launchServer({ naming: 'kubernetes', args: ['--authorization-mode=RBAC'] });
    example = start(join(root, 'scripts/node'), [
      join(root, 'examples/metrics-server/main.ts'),
      '--naming=kubernetes',
      `--client-config=${file('client.conf', await extensionAccount(server, { naming: 'kubernetes', name: 'metrics' }))}`,
      `--tls-cert-file=${file('tls.crt', tls.cert)}`,
      `--tls-private-key-file=${file('tls.key', tls.key)}`,
      ...[`--bind-address=${address}`, '--port=0'],
    ]);
    const [, port] = await example.waitFor(/"port":(\d+)/, 30_000);
    await registerExtension(server.client, 'kubernetes', {
      ...{ name: 'metrics', group: GROUP, version: 'v1beta1', address: address ?? '', port: Number(port) },
      caBundle: Buffer.from(authority.cert).toString('base64'),
    });
    await eventually(
      () => get(`${base}/nodes`),
      ({ status }) => status === 200,
    );
  });
  after(async () => {
    await example?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  describe('through kubectl', { skip: kubectls.length === 0 }, () => {
    const kubectl = async (path: string, ...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(path, args, { env: { KUBECONFIG: server.adminConfig } });
      assert.equal(code, 0, `${path} ${args.join(' ')}: ${stderr}`);
      return stdout;
    };

    it('the extension API server serves kubectl top for nodes, pods, containers and selected pods', async () => {
      await create('/api/v1/nodes', {
        metadata: { name: 'node-1' },
        status: { allocatable: { cpu: '4', memory: '8Gi' } },
      });
      for (const { path } of kubectls) {
        assert.match(await kubectl(path, 'top', 'nodes'), /node-1\s+1500m\s+37%\s+2048Mi\s+25%/);
        assert.match(await kubectl(path, 'top', 'pods'), /web\s+250m\s+64Mi/);
        assert.match(await kubectl(path, 'top', 'pod', 'web', '--containers'), /web\s+main\s+250m\s+64Mi/);
        assert.match(await kubectl(path, 'top', 'pods', '-A', '-l', 'app=web'), /default\s+web/);
        assert.equal(await kubectl(path, 'top', 'pods', '-A', '-l', 'app=other'), '');
      }
    });

    it('orchctl top prints what kubectl top prints', async () => {
      const newest = kubectls.at(-1);
      assert.ok(newest);
      for (const line of [
        ...['node', 'nodes node-1', 'no --no-headers', 'node --show-capacity', 'node --sort-by=cpu'],
        ...[
          'pod',
          'pods -A',
          'pod web --containers',
          'po -A --sum --sort-by=memory',
          'pod --sum --no-headers',
        ],
        ...['pod -A -l app=other', 'pod missing', 'node missing', 'pod --sort-by=other', 'pod a b'],
      ]) {
        const argv = ['top', ...line.split(' '), `--kubeconfig=${server.adminConfig}`];
        const own = await runCommandLine(argv);
        const other = await run(newest.path, argv);
        assert.equal(own.out, other.stdout, `${line}: ${own.err}`);
        assert.equal(own.status === 0, other.code === 0, `${line}: ${own.err}${other.stderr}`);
        if (other.code === 0) assert.equal(own.err, other.stderr, line);
      }
    });

    it('tables of an extension server have the columns that the server sends', async () => {
      for (const { path } of kubectls) {
        assert.match(
          await kubectl(path, 'get', `nodes.v1beta1.${GROUP}`),
          /^NAME\s+CPU\s+MEMORY\nnode-1\s+1500m\s+2Gi\n$/,
        );
        assert.match(await kubectl(path, 'api-resources', `--api-group=${GROUP}`), /PodMetrics/);
      }
    });
  });

  it('lists of a namespace, of all namespaces and of one object agree', async () => {
    const names = async (path: string) =>
      (await get(`${base}/${path}`)).json.items.map(({ metadata }) => metadata);
    const web = [{ name: 'web', namespace: 'default', labels: { app: 'web' } }];
    assert.deepEqual(await names('pods'), web);
    assert.deepEqual(await names('namespaces/default/pods'), web);
    assert.deepEqual(await names('namespaces/other/pods'), []);
    assert.deepEqual(await names('pods?fieldSelector=metadata.name%3Dweb'), web);
    assert.deepEqual(await names('pods?fieldSelector=metadata.namespace%3Dother'), []);
    const { json } = await get(`${base}/namespaces/default/pods/web`);
    assert.deepEqual([json.kind, json.apiVersion, json.metadata], ['PodMetrics', `${GROUP}/v1beta1`, web[0]]);
  });

  it('a table has a row with the requested part of each object', async () => {
    const rows = async (query: string) => {
      const { json } = await get(`${base}/pods${query}`, { accept: table });
      assert.deepEqual([json.kind, json.apiVersion], ['Table', 'meta.k8s.io/v1']);
      return json.rows;
    };
    const metadata = { namespace: 'default', name: 'web', labels: { app: 'web' } };
    const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
    assert.deepEqual(await rows(''), [{ cells: ['web', 1], object: partial }]);
    assert.deepEqual(await rows('?includeObject=None'), [{ cells: ['web', 1] }]);
    assert.equal((await rows('?includeObject=Object'))[0]?.object.kind, 'PodMetrics');
  });

  for (const [title, method, path, code, accept] of [
    ['an object that does not exist', 'GET', '/nodes/none', 404, '*/*'],
    ['a resource that does not exist', 'GET', '/volumes', 404, '*/*'],
    ['a watch', 'GET', '/nodes?watch=true', 405, '*/*'],
    ['a write', 'POST', '/nodes', 405, '*/*'],
    ['a selector that cannot be read', 'GET', '/nodes?labelSelector=%21%21', 400, '*/*'],
    ['a selector of another field', 'GET', '/nodes?fieldSelector=spec.x%3Dy', 400, '*/*'],
    ['a format that it does not have', 'GET', '/nodes', 406, 'application/yaml'],
    ['an object in a namespace that does not exist', 'GET', '/namespaces/a/pods/web', 404, '*/*'],
  ] as const)
    it(`the example of an extension API server answers ${title} with ${code}`, async () => {
      const body = method === 'POST' ? { body: {} } : {};
      const { status, text } = await server.client.send(method, `${base}${path}`, {
        headers: { accept },
        ...body,
      });
      assert.equal(status, code, text);
    });

  it('a role binding permits users to read one namespace, and nothing beyond it', async () => {
    const path = `/apis/${rbac}/v1/namespaces/default`;
    await create(`${path}/roles`, {
      metadata: { name: 'usage' },
      rules: [{ apiGroups: [GROUP], resources: ['pods'], verbs: ['get', 'list'] }],
    });
    await create(`${path}/rolebindings`, {
      metadata: { name: 'usage' },
      subjects: [{ apiGroup: rbac, kind: 'User', name: 'jane' }],
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'usage' },
    });
    const status = async (of: string): Promise<number> =>
      (await get(`${base}/${of}`, { 'impersonate-user': 'jane' })).status;
    await eventually(
      () => status('namespaces/default/pods'),
      (code) => code === 200,
    );
    assert.equal(await status('namespaces/default/pods/web'), 200);
    assert.equal(await status('namespaces/other/pods'), 403);
    assert.equal(await status('pods'), 403);
    assert.equal(await status('nodes'), 403);
  });

  it('the example of an extension API server ends when it is stopped', async () => {
    assert.deepEqual(await example.stop('SIGTERM'), { code: 0, signal: null });
  });
});
