import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

const names = namesFor('kubernetes');
const nodes = '/api/v1/nodes';
const core = '/api/v1/namespaces/default';
const merge = 'application/merge-patch+json';
const restricted = `${names.labelPrefixes.nodeRestriction}zone`;

/** An agent of a compromised node. The server is set up as `docs/admission.md` describes. */
describe('requests of a compromised node', { timeout: 60_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'orch-nodes-'));
  let server: LaunchedServer;
  let admin: ApiClient;
  let node: ApiClient;
  const uids = new Map<string, string>();

  const pod = (name: string, nodeName: string, metadata: object = {}, spec: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { nodeName, containers: [{ name: 'c', image: 'i' }], ...spec },
  });
  const mirror = (spec: object = {}) =>
    pod(
      'static-n1',
      'n1',
      {
        annotations: { [names.annotations.configMirror]: 'hash' },
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: uids.get('n1'), controller: true },
        ],
      },
      spec,
    );
  const projected = {
    name: 'tokens',
    projected: {
      sources: [
        { serviceAccountToken: { path: 'server' } },
        { serviceAccountToken: { audience: 'registry', path: 'registry' } },
      ],
    },
  };
  const patch = (path: string, body: object, contentType = merge): Promise<ApiResponse> =>
    node.send('PATCH', path, { body: JSON.stringify(body), contentType });
  const bound = (boundObjectRef: object, ...audiences: string[]): object => ({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences, boundObjectRef: { apiVersion: 'v1', ...boundObjectRef } },
  });
  const token = (podName: string, ...audiences: string[]): object =>
    bound({ kind: 'Pod', name: podName, uid: uids.get(podName) }, ...audiences);

  before(async () => {
    writeFileSync(join(work, 'tokens'), 'hunter2,system:node:n1,1,system:nodes\n');
    server = await launchServer({
      naming: 'kubernetes',
      release: '1.37',
      args: [
        `--token-auth-file=${join(work, 'tokens')}`,
        '--authorization-mode=Node,RBAC',
        '--enable-admission-plugins=NodeRestriction',
      ],
    });
    admin = server.client;
    node = new ApiClient({ ...server.config, cert: undefined, key: undefined, token: 'hunter2' });
    const made = async (path: string, object: object): Promise<void> => {
      const answer = await admin.post(path, object);
      assert.equal(answer.status, 201, answer.text);
      const { name = '', uid = '' } = (JSON.parse(answer.text) as ApiObject).metadata;
      uids.set(name, uid);
    };
    await made(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n2' } });
    for (const name of ['mine', 'others'])
      await made(`${core}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });
    await made(`${core}/pods`, pod('p1', 'n1', {}, { serviceAccountName: 'mine', volumes: [projected] }));
    await made(`${core}/pods`, pod('p2', 'n2', {}, { serviceAccountName: 'others' }));
    for (const name of ['secret-1', 'secret-2'])
      await made(`${core}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name } });
    await made(
      `${core}/pods`,
      pod('p3', 'n1', {}, { volumes: [{ name: 'v', secret: { secretName: 'secret-1' } }] }),
    );
  });
  after(async () => {
    node[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  });

  it('a compromised node can still perform the regular writes of a node', async () => {
    const registered = await node.post(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n1', labels: { [names.labels.hostname]: 'n1', rack: 'r1' } },
      spec: { taints: [{ key: 'starting', effect: 'NoSchedule' }] },
    });
    assert.equal(registered.status, 201, registered.text);
    uids.set('n1', String((JSON.parse(registered.text) as ApiObject).metadata.uid));
    const lease = `/apis/coordination.k8s.io/v1/namespaces/${names.namespaces.nodeLease}/leases`;
    const done = {
      'writing its status': await patch(`${nodes}/n1/status`, { status: { capacity: { cpu: '2' } } }),
      'labelling itself': await patch(`${nodes}/n1`, { metadata: { labels: { rack: 'r2' } } }),
      'creating its lease': await node.post(lease, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'n1' },
      }),
      'renewing its lease': await patch(`${lease}/n1`, { spec: { holderIdentity: 'n1' } }),
      'writing the status of a pod': await patch(`${core}/pods/p1/status`, { status: { phase: 'Running' } }),
      'creating a mirror pod': await node.post(`${core}/pods`, mirror()),
      'getting a token': await node.post(`${core}/serviceaccounts/mine/token`, token('p1')),
      'getting a token for the registry': await node.post(
        `${core}/serviceaccounts/mine/token`,
        token('p1', 'registry'),
      ),
      'reading a secret': await node.get(`${core}/secrets/secret-1`),
    };
    for (const [what, { status, text }] of Object.entries(done))
      assert.ok(status === 200 || status === 201, `${what}: ${text}`);
  });

  const labels = (key: string) => ({ metadata: { labels: { [key]: 'x' } } });
  const owner = () => ({
    metadata: {
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Node', name: 'gone', uid: 'f0f0f0f0-0000-0000-0000-000000000000' },
      ],
    },
  });
  const self = (rest: object) => ({ apiVersion: 'v1', kind: 'Node', ...rest });
  const applied = (manager: string) => `${nodes}/n1?fieldManager=${manager}&force=true`;
  const applies = 'application/apply-patch+yaml';
  const attacks: readonly (readonly [title: string, attack: () => Promise<ApiResponse>, said: RegExp])[] = [
    [
      'label itself into a zone',
      () => patch(`${nodes}/n1`, labels(restricted)),
      /not allowed to set its labels/,
    ],
    [
      'label itself into a zone through its status',
      () => patch(`${nodes}/n1/status`, labels(restricted)),
      /not allowed to set its labels/,
    ],
    [
      'label itself into a zone by apply',
      () =>
        patch(applied('agent'), self({ metadata: { name: 'n1', ...labels(restricted).metadata } }), applies),
      /not allowed to set its labels/,
    ],
    [
      'label itself into a zone by strategic merge',
      () => patch(`${nodes}/n1`, labels(restricted), 'application/strategic-merge-patch+json'),
      /not allowed to set its labels/,
    ],
    [
      'take a role',
      () => patch(`${nodes}/n1`, labels(`${names.labelPrefixes.nodeRole}control-plane`)),
      /not allowed to set its labels/,
    ],
    ['have itself collected', () => patch(`${nodes}/n1`, owner()), /not allowed to set its owner references/],
    [
      'have itself collected through its status',
      () => patch(`${nodes}/n1/status`, owner()),
      /not allowed to set its owner references/,
    ],
    [
      'drop its taints',
      () => patch(`${nodes}/n1`, { spec: { taints: null } }),
      /not allowed to change its taints/,
    ],
    [
      'try it without doing it',
      () => patch(`${nodes}/n1?dryRun=All`, labels(restricted)),
      /not allowed to set its labels/,
    ],
    ['label another node', () => patch(`${nodes}/n2`, labels('a')), /cannot patch resource "nodes"/],
    [
      'register a node beside itself',
      () => node.post(nodes, self({ metadata: { name: 'n3' } })),
      /not allowed to write node "n3"/,
    ],
    [
      'register a node by a name of the server',
      () => node.post(nodes, self({ metadata: { generateName: 'n' } })),
      /not allowed to write node/,
    ],
    ['run a pod', () => node.post(`${core}/pods`, pod('p4', 'n1')), /can only create mirror pods/],
    [
      'show a pod that has an account',
      () => node.post(`${core}/pods`, mirror({ serviceAccountName: 'others' })),
      /refer to serviceaccounts/,
    ],
    [
      'show a pod that has a secret',
      () =>
        node.post(`${core}/pods`, mirror({ volumes: [{ name: 'v', secret: { secretName: 'secret-2' } }] })),
      /refer to secrets/,
    ],
    [
      'show a pod on another node',
      () => node.post(`${core}/pods`, mirror({ nodeName: 'n2' })),
      /spec.nodeName is its own name/,
    ],
    [
      'label a pod by telling of it',
      () => patch(`${core}/pods/p1/status`, labels('app')),
      /cannot change labels/,
    ],
    ['tell of the pod of another', () => patch(`${core}/pods/p2/status`, { status: {} }), /cannot patch/],
    ['delete the pod of another', () => node.delete(`${core}/pods/p2`), /cannot delete resource "pods"/],
    [
      'get a token for the account of another',
      () => node.post(`${core}/serviceaccounts/others/token`, token('p2')),
      /cannot create resource "serviceaccounts\/token"/,
    ],
    [
      'get a token that outlives its pod',
      () =>
        node.post(`${core}/serviceaccounts/mine/token`, {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: {},
        }),
      /not bound to a pod/,
    ],
    [
      'get a token that is bound to itself, and outlives its pods',
      () => node.post(`${core}/serviceaccounts/mine/token`, bound({ kind: 'Node', name: 'n1' })),
      /not bound to a pod/,
    ],
    [
      'get a token that is bound to another node',
      () =>
        node.post(
          `${core}/serviceaccounts/mine/token`,
          bound({ kind: 'Node', name: 'n2', uid: uids.get('n2') }),
        ),
      /not bound to a pod/,
    ],
    [
      'get a token for a former pod',
      () =>
        node.post(`${core}/serviceaccounts/mine/token`, bound({ kind: 'Pod', name: 'p1', uid: 'forged' })),
      /does not exist with uid/,
    ],
    [
      'get a token for the pod of another',
      () => node.post(`${core}/serviceaccounts/mine/token`, token('p2')),
      /on another node/,
    ],
    [
      'get a token for an audience that no volume of the pod needs',
      () => node.post(`${core}/serviceaccounts/mine/token`, token('p1', 'vault')),
      /which no volume of the pod needs/,
    ],
    [
      'get a token for several audiences at once',
      () => node.post(`${core}/serviceaccounts/mine/token`, token('p1', 'registry', 'vault')),
      /only request tokens for one audience/,
    ],
    [
      'write the lease of another',
      () =>
        node.post(`/apis/coordination.k8s.io/v1/namespaces/${names.namespaces.nodeLease}/leases`, {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: 'n2' },
        }),
      /with its own name/,
    ],
    [
      'read the secret of another',
      () => node.get(`${core}/secrets/secret-2`),
      /cannot get resource "secrets"/,
    ],
    ['read all secrets', () => node.get(`${core}/secrets`), /cannot list resource "secrets"/],
  ];
  for (const [title, attack, said] of attacks) {
    it(`a compromised node cannot ${title}`, async () => {
      const { status, text } = await attack();
      assert.equal(status, 403, text);
      const { reason, message = '' } = JSON.parse(text) as { reason?: string; message?: string };
      assert.match(message, said);
      assert.equal(reason, 'Forbidden');
    });
  }

  it('refused writes of a compromised node leave no objects behind', async () => {
    const { metadata, spec } = JSON.parse((await admin.get(`${nodes}/n1`)).text) as ApiObject;
    assert.deepEqual(metadata.labels, { [names.labels.hostname]: 'n1', rack: 'r2' });
    assert.equal(metadata.ownerReferences, undefined);
    const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
    assert.deepEqual((spec as { taints?: unknown }).taints, [
      { key: 'starting', effect: 'NoSchedule' },
      notReady,
    ]);
    const list = JSON.parse((await admin.get(nodes)).text) as { items: readonly ApiObject[] };
    assert.deepEqual(
      list.items.map((one) => one.metadata.name),
      ['n1', 'n2'],
    );
  });

  it('a compromised node is refused operations of administrators', async () => {
    const answer = await admin.send('PATCH', `${nodes}/n1`, {
      body: JSON.stringify(labels(restricted)),
      contentType: merge,
    });
    assert.equal(answer.status, 200, answer.text);
    const kept = await patch(`${nodes}/n1`, { metadata: { labels: { rack: 'r3' } } });
    assert.equal(kept.status, 200, kept.text);
    const removed = await patch(`${nodes}/n1`, { metadata: { labels: { [restricted]: null } } });
    assert.equal(removed.status, 403, removed.text);
  });
});
