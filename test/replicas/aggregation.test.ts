import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ExtensionServer, json } from '@orch/aggregation/testing';
import { eventually } from '@orch/machinery/testing';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';
import { startEtcd } from '@orch/storage/testing';
import {
  type ApiResponse,
  type LaunchedServer,
  launchServer,
  podAddressOfMachine,
  registerExtension,
  temporaryFolder,
} from '@orch/testkit';

const ownAddress = podAddressOfMachine();
const GROUP = 'metrics.example.com';
const namespaced = '/api/v1/namespaces/default';
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const widgets = `/apis/${GROUP}/v1/namespaces/default/widgets`;

/** JSON is YAML. */
const auditPolicy = {
  ...{ apiVersion: 'audit.k8s.io/v1', kind: 'Policy' },
  rules: [
    { level: 'None', resources: [{ group: GROUP, resources: ['secret-widgets'] }] },
    { level: 'Request', resources: [{ group: GROUP, resources: ['widgets/status'] }] },
    { level: 'Metadata' },
  ],
};

const ifAddress = ownAddress === undefined ? { skip: 'this machine has no address besides loopback' } : {};

/** Fields of API services, widgets and refusals that the tests read. */
interface Body {
  readonly message: string;
  readonly reason: string;
  readonly metadata: { readonly uid: string };
  readonly status?: { readonly conditions?: readonly { readonly reason: string }[] };
}

type Answer = Omit<ApiResponse, 'json'> & { readonly json: Body };

describe('an extension API server behind three replicas', { timeout: 240_000, ...ifAddress }, () => {
  const authority = testCertificate({ commonName: 'proxy-authority', use: 'authority' });
  const pairOf = (commonName: string): KeyPair => testCertificate({ commonName, use: 'client' }, authority);
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let extension: ExtensionServer;
  let folder: ReturnType<typeof temporaryFolder>;
  let replicas: readonly LaunchedServer[] = [];
  let files: { readonly cert: string; readonly key: string; readonly audit: string };

  /** Replaces both files, each at once. */
  function writePair({ cert, key }: KeyPair): void {
    for (const [file, text] of [
      [files.key, key],
      [files.cert, cert],
    ] as const) {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    }
  }

  before(async () => {
    folder = temporaryFolder();
    const at = (name: string): string => join(folder.path, name);
    files = { cert: at('proxy.crt'), key: at('proxy.key'), audit: at('audit.log') };
    writePair(pairOf('front-proxy-client'));
    const policy = at('policy.yaml');
    writeFileSync(policy, JSON.stringify(auditPolicy));
    etcd = await startEtcd();
    extension = await ExtensionServer.start({ ...(ownAddress === undefined ? {} : { address: ownAddress }) });
    const args = [
      '--separate-credentials',
      `--proxy-client-cert-file=${files.cert}`,
      `--proxy-client-key-file=${files.key}`,
      '--authorization-mode=RBAC',
    ];
    const audited = [`--audit-log-path=${files.audit}`, `--audit-policy-file=${policy}`];
    const launch = (more: readonly string[]): Promise<LaunchedServer> =>
      launchServer({ etcd: etcd.endpoints, naming: 'kubernetes', args: [...args, ...more] });
    replicas = [await launch(audited), await launch([]), await launch([])];
  });
  after(async () => {
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    await extension?.[Symbol.asyncDispose]();
    await etcd?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
  });

  const first = (): LaunchedServer => {
    const [replica] = replicas;
    assert.ok(replica);
    return replica;
  };

  /** A request to the first replica; bodies have kinds that the test knows. */
  async function sendFirst(
    method: string,
    path: string,
    options: Parameters<LaunchedServer['client']['send']>[2] = {},
  ): Promise<Answer> {
    return (await first().client.send(method, path, options)) as Answer;
  }

  async function create(path: string, body: object): Promise<void> {
    const { status, text } = await first().client.send('POST', path, { body });
    assert.equal(status, 201, text);
  }

  it('the group version of an extension server is served by every replica within a second of its registration', async () => {
    extension.answer = (request, response) => json(response, { user: request.headers['x-remote-user'] });
    await registerExtension(first().client, 'kubernetes', {
      ...{ name: 'extension', address: ownAddress ?? '', port: extension.port },
      ...{ group: GROUP, version: 'v1', caBundle: extension.caBundle },
    });
    for (const { client } of replicas) {
      const { json: body } = await eventually(
        () => client.send('GET', widgets),
        ({ status }) => status === 200,
        1_000,
      );
      assert.deepEqual(body, { user: 'system:admin' });
    }
    assert.deepEqual(
      new Set(extension.requests.map(({ client }) => client)),
      new Set(['front-proxy-client']),
    );
    await eventually(
      () => sendFirst('GET', `${apiServices}/v1.${GROUP}`),
      ({ json: { status } }) => status?.conditions?.[0]?.reason === 'Passed',
    );
  });

  it('requests to an extension server are authorized and audited like those for any resource', async () => {
    const headers = { 'impersonate-user': 'jane' };
    const denied = await sendFirst('GET', widgets, { headers });
    assert.equal(denied.status, 403);
    assert.match(
      denied.json.message,
      /^widgets\.metrics\.example\.com is forbidden: User "jane" cannot list resource "widgets" in API group "metrics\.example\.com" in the namespace "default"/,
    );
    const rules = [{ apiGroups: [GROUP], resources: ['widgets'], verbs: ['list'] }];
    const rbac = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'widget-reader' };
    await create(rbac, { metadata: { name: 'widget-reader' }, rules });
    await create(`${rbac.replace('roles', 'rolebindings')}`, {
      metadata: { name: 'jane' },
      roleRef,
      subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }],
    });
    // A rule has effect when the server has received it from its watch.
    const allowed = await eventually(
      () => sendFirst('GET', widgets, { headers }),
      ({ status }) => status !== 403,
    );
    assert.deepEqual([allowed.status, allowed.json], [200, { user: 'jane' }]);
    const last = extension.requests.at(-1)?.headers ?? {};
    assert.deepEqual([last['impersonate-user'], last['authorization']], [undefined, undefined]);
    const [event] = await eventually(
      async () =>
        readFileSync(files.audit, 'utf8')
          .split('\n')
          .filter((line) => line.includes('"impersonatedUser"') && line.includes('"code":200'))
          .map((line) => JSON.parse(line)),
      (events) => events.length > 0,
    );
    assert.deepEqual(event.objectRef, {
      resource: 'widgets',
      namespace: 'default',
      apiGroup: GROUP,
      apiVersion: 'v1',
    });
  });

  it('an address of this machine is used for pods only, not when Endpoints name it without one', async () => {
    const other = 'manual.example.com';
    const metadata = { name: 'manual' };
    await create(`${namespaced}/services`, { metadata, spec: { ports: [{ port: 443 }] } });
    await create(`${namespaced}/endpoints`, {
      metadata,
      subsets: [{ addresses: [{ ip: ownAddress }], ports: [{ port: extension.port }] }],
    });
    await create(apiServices, {
      metadata: { name: `v1.${other}` },
      spec: {
        ...{ group: other, version: 'v1', groupPriorityMinimum: 100, versionPriority: 15 },
        ...{ service: { namespace: 'default', name: 'manual' }, caBundle: extension.caBundle },
      },
    });
    const { json: found } = await eventually(
      () => sendFirst('GET', `${apiServices}/v1.${other}`),
      ({ json: { status } }) => status?.conditions !== undefined && status.conditions.length > 0,
    );
    assert.equal(found.status?.conditions?.[0]?.reason, 'MissingEndpoints');
    await first().client.send('DELETE', `${apiServices}/v1.${other}`);
  });

  it('requests to an extension server have an audit line with their object, user, code and the level of the policy', async () => {
    const linesOf = ({ headers }: Answer) =>
      readFileSync(files.audit, 'utf8')
        .split('\n')
        .filter((line) => line.includes(String(headers['audit-id'])) && line.includes('ResponseComplete'))
        .map((line) => JSON.parse(line));
    const unaudited = await sendFirst('GET', `${widgets.replace('widgets', 'secret-widgets')}/one`);
    const [body, headers] = [{ kind: 'Widget' }, { 'content-type': 'application/json' }];
    const audited = await sendFirst('PUT', `${widgets}/one/status`, { body, headers });
    assert.deepEqual([unaudited.status, audited.status], [200, 200]);
    const [event, ...more] = await eventually(
      async () => linesOf(audited),
      (lines) => lines.length > 0,
    );
    assert.deepEqual(more, []);
    assert.deepEqual(event.objectRef, {
      ...{ apiGroup: GROUP, apiVersion: 'v1', resource: 'widgets', subresource: 'status' },
      ...{ namespace: 'default', name: 'one' },
    });
    assert.deepEqual(
      [event.verb, event.level, event.user.username, event.responseStatus.code],
      ['update', 'Request', 'system:admin', 200],
    );
    assert.deepEqual(linesOf(unaudited), []);
  });

  it('requests to an extension server are assigned to the flow schema that matches them', async () => {
    const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas';
    const user = { 'impersonate-user': 'jane' };
    const rule = {
      ...{ verbs: ['*'], apiGroups: [GROUP], resources: ['widgets'] },
      ...{ namespaces: ['*'], clusterScope: true },
    };
    const subjects = [{ kind: 'User', user: { name: 'jane' } }];
    await create(flowControl, {
      metadata: { name: 'widgets' },
      spec: {
        matchingPrecedence: 50,
        priorityLevelConfiguration: { name: 'workload-high' },
        rules: [{ subjects, resourceRules: [rule] }],
      },
    });
    const { uid } = (await sendFirst('GET', `${flowControl}/widgets`)).json.metadata;
    const header = 'x-kubernetes-pf-flowschema-uid';
    const matched = await eventually(
      () => sendFirst('GET', widgets, { headers: user }),
      ({ headers }) => headers[header] === uid,
    );
    assert.equal(matched.status, 200);
    assert.notEqual((await sendFirst('GET', widgets)).headers[header], uid);
  });

  it('a renewed client certificate is used without a restart', async () => {
    writePair(pairOf('renewed'));
    await eventually(
      async () => {
        await first().client.send('GET', widgets);
        return extension.requests.at(-1)?.client;
      },
      (client) => client === 'renewed',
    );
  });

  it('an extension server can stop and come back: meanwhile its requests fail at once, and no others', async () => {
    await extension.stop();
    const failed = await sendFirst('GET', widgets);
    assert.deepEqual([failed.status, failed.json.reason], [503, 'ServiceUnavailable']);
    assert.equal((await first().client.send('GET', `${namespaced}/pods`)).status, 200);
    await eventually(
      () => sendFirst('GET', `${apiServices}/v1.${GROUP}`),
      ({ json: { status } }) => status?.conditions?.[0]?.reason === 'FailedDiscoveryCheck',
      45_000,
    );
    await extension.start();
    for (const { client } of replicas)
      await eventually(
        () => client.send('GET', widgets),
        ({ status }) => status === 200,
        45_000,
      );
  });

  it('no replica serves an API service a second after its removal', async () => {
    await first().client.send('DELETE', `${apiServices}/v1.${GROUP}`);
    for (const { client } of replicas)
      await eventually(
        () => client.send('GET', widgets),
        ({ status }) => status === 404,
        1_000,
      );
  });
});
