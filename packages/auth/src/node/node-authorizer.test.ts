import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { createMetrics } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import { MemoryObjectSource } from '../testing/memory-object-source.ts';
import type { ResourceAttributes, UserInfo } from '../types.ts';
import { nodeAuthorizer } from './node-authorizer.ts';
import { NodeGraph } from './node-graph.ts';

const names = namesFor('orch');
const object = (name: string, spec: object, namespace?: string, annotations = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name, ...(namespace === undefined ? {} : { namespace }), annotations },
  spec,
});

const podSpec = {
  nodeName: 'n1',
  serviceAccountName: 'sa',
  imagePullSecrets: [{ name: 'pull' }],
  initContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'env-secret' } } }] }],
  containers: [
    { envFrom: [{ secretRef: { name: 'all-secret' } }, { configMapRef: { name: 'all-config' } }] },
    { env: [{ valueFrom: { configMapKeyRef: { name: 'env-config' } } }] },
  ],
  volumes: [
    { name: 'a', secret: { secretName: 'volume-secret' } },
    { name: 'b', configMap: { name: 'volume-config' } },
    { name: 'c', persistentVolumeClaim: { claimName: 'claim' } },
    { name: 'd', ephemeral: {} },
    {
      name: 'e',
      projected: { sources: [{ secret: { name: 'part-secret' } }, { configMap: { name: 'part-config' } }] },
    },
    { name: 'f', csi: { nodePublishSecretRef: { name: 'csi-secret' } } },
    { name: 'g', rbd: { secretRef: { name: 'rbd-secret' } } },
    { name: 'h', azureFile: { secretName: 'azure-secret' } },
  ],
};

function cluster() {
  const source = new MemoryObjectSource();
  source.put('pods', object('p', podSpec, 'ns'));
  source.put('pods', object('waiting', { volumes: [{ secret: { secretName: 'waiting-secret' } }] }, 'ns'));
  source.put(
    'pods',
    object('mirror', { nodeName: 'n1', volumes: [{ secret: { secretName: 'wanted' } }] }, 'ns', {
      [names.annotations.configMirror]: 'x',
    }),
  );
  source.put('pods', object('other', { nodeName: 'n2', serviceAccountName: 'sb' }, 'ns'));
  source.put(
    'persistentvolumes',
    object('v', {
      claimRef: { namespace: 'ns', name: 'claim' },
      csi: {
        nodeStageSecretRef: { name: 'stage', namespace: 'storage' },
        controllerPublishSecretRef: { name: 'controller', namespace: 'storage' },
      },
    }),
  );
  source.put('persistentvolumes', object('free', {}));
  source.put('volumeattachments.storage', object('att', { nodeName: 'n1' }));
  const metrics = createMetrics();
  return {
    source,
    metrics,
    authorizer: nodeAuthorizer(new NodeGraph(source, { names, clock: new FakeClock(), metrics }), names),
  };
}

const nodeUser = (node: string, ...groups: string[]): UserInfo => ({
  name: `system:node:${node}`,
  uid: '',
  groups,
  extra: {},
});
const node = (name: string): UserInfo => nodeUser(name, 'system:nodes', 'system:authenticated');

/** `get secrets/token ns x` in group `storage/…`. */
function asked(user: UserInfo, text: string): ResourceAttributes {
  const [verb = '', what = '', namespace = '', name = ''] = text.split(' ');
  const [group = '', path = ''] = what.includes(':') ? what.split(':') : ['', what];
  const [resource = '', subresource = ''] = path.split('/');
  return {
    user,
    isResource: true,
    verb,
    group: group === '' ? '' : names.group(group),
    version: 'v1',
    resource,
    subresource,
    namespace: namespace === '-' ? '' : namespace,
    name,
  };
}

const { signal } = new AbortController();
const may = async (user: UserInfo, text: string, { authorizer } = cluster()): Promise<boolean> => {
  const { verdict } = await authorizer.authorize(asked(user, text), { signal });
  assert.notEqual(verdict, 'deny');
  return verdict === 'allow';
};

describe('authorization mode Node', () => {
  for (const secret of [
    'pull',
    'env-secret',
    'all-secret',
    'volume-secret',
    'part-secret',
    'csi-secret',
    'rbd-secret',
    'azure-secret',
  ]) {
    it(`a node may read the secret ${secret} of its pod, and other nodes may not`, async () => {
      assert.equal(await may(node('n1'), `get secrets ns ${secret}`), true);
      assert.equal(await may(node('n2'), `get secrets ns ${secret}`), false);
    });
  }

  for (const [text, expected] of [
    ['get configmaps ns all-config', true],
    ['get configmaps ns env-config', true],
    ['get configmaps ns volume-config', true],
    ['watch configmaps ns part-config', true],
    ['list secrets ns pull', true],
    ['list secrets ns', false],
    ['watch secrets -', false],
    ['list secrets - pull', false],
    ['get secrets other pull', false],
    ['get secrets ns unknown', false],
    ['get secrets ns waiting-secret', false],
    ['get secrets ns wanted', false],
    ['update secrets ns pull', false],
    ['delete secrets ns pull', false],
    ['create secrets ns', false],
    ['get secrets storage stage', true],
    ['get secrets storage controller', false],
    ['get persistentvolumeclaims ns claim', true],
    ['get persistentvolumeclaims ns p-d', true],
    ['get persistentvolumeclaims ns else', false],
    ['patch persistentvolumeclaims/status ns claim', true],
    ['patch persistentvolumeclaims/status ns else', false],
    ['update persistentvolumeclaims ns claim', false],
    ['get persistentvolumes - v', true],
    ['get persistentvolumes - free', false],
    ['list persistentvolumes -', false],
    ['get storage:volumeattachments - att', true],
    ['get storage:volumeattachments - none', false],
    ['create serviceaccounts/token ns sa', true],
    ['create serviceaccounts/token ns sb', false],
    ['get serviceaccounts ns sa', false],
    ['get coordination:leases orch-node-lease n1', true],
    ['update coordination:leases orch-node-lease n1', true],
    ['create coordination:leases orch-node-lease', true],
    ['update coordination:leases orch-node-lease n2', false],
    ['update coordination:leases ns n1', false],
    ['list coordination:leases orch-node-lease', false],
    ['patch storage:csinodes - n1', true],
    ['patch storage:csinodes - n2', false],
    ['create storage:csinodes -', true],
    ['get nodes - n2', true],
    ['list nodes -', true],
    ['create nodes -', true],
    ['update nodes - n1', true],
    ['patch nodes/status - n1', true],
    ['patch nodes/status - n2', false],
    ['update nodes - n2', false],
    ['delete nodes - n1', false],
    ['list pods -', true],
    ['create pods ns', true],
    ['patch pods/status ns p', true],
    ['patch pods/status ns other', false],
    ['delete pods ns p', true],
    ['delete pods ns other', false],
    ['create pods/eviction ns p', true],
    ['create pods/eviction ns other', false],
    ['create pods/exec ns p', false],
    ['create events ns', true],
    ['get rbac:clusterroles - admin', false],
    ['list deployments ns', false],
  ] as const) {
    it(`node n1 is ${expected ? 'allowed' : 'not allowed'} to: ${text}`, async () => {
      assert.equal(await may(node('n1'), text), expected);
    });
  }

  for (const [what, user] of [
    ['a user with the name of a node who is not among the nodes', nodeUser('n1', 'system:authenticated')],
    ['a user among the nodes with another name', { ...node('n1'), name: 'n1' }],
    ['a node without a name', node('')],
  ] as const) {
    it(`there is no opinion about ${what}`, async () => {
      assert.equal(await may(user, 'get secrets ns pull'), false);
      assert.equal(await may(user, 'list nodes -'), false);
    });
  }

  it('a decision from the graph is synchronous', () => {
    const { authorizer } = cluster();
    assert.ok(
      !(authorizer.authorize(asked(node('n1'), 'get secrets ns pull'), { signal }) instanceof Promise),
    );
    assert.ok(!(authorizer.authorize(asked(node('n1'), 'list nodes -'), { signal }) instanceof Promise));
  });

  it('decisions change when pods and volumes are created and deleted', async () => {
    const state = cluster();
    const user = node('n1');
    state.source.put(
      'pods',
      object('q', { nodeName: 'n1', volumes: [{ secret: { secretName: 'pull' } }] }, 'ns'),
    );
    state.source.delete('pods', 'ns/p');
    assert.equal(await may(user, 'get secrets ns pull', state), true);
    assert.equal(await may(user, 'get secrets ns env-secret', state), false);
    assert.equal(await may(user, 'get secrets storage stage', state), false);
    state.source.delete('pods', 'ns/q');
    assert.equal(await may(user, 'get secrets ns pull', state), false);
    state.source.put('pods', object('p', podSpec, 'ns'));
    assert.equal(await may(user, 'get secrets storage stage', state), true);
    state.source.delete('persistentvolumes', 'v');
    assert.equal(await may(user, 'get secrets storage stage', state), false);
    state.source.replace('pods', []);
    assert.equal(await may(user, 'get secrets ns env-secret', state), false);
  });

  it('changes of the graph are measured', () => {
    const { source, metrics } = cluster();
    source.delete('pods', 'ns/p');
    source.delete('persistentvolumes', 'v');
    const counted = [...metrics.text().matchAll(/duration_seconds_count\{operation="(\w+)"\} (\d+)/g)];
    assert.deepEqual(Object.fromEntries(counted.map(([, operation, count]) => [operation, count])), {
      AddPod: '4',
      AddPV: '2',
      DeletePod: '1',
      DeletePV: '1',
    });
  });

  it('an object that was written before and is not cached yet is not refused', async () => {
    const state = cluster();
    state.source.fresh = async () => {
      state.source.put(
        'pods',
        object('new', { nodeName: 'n1', volumes: [{ secret: { secretName: 'late' } }] }, 'ns'),
      );
    };
    assert.equal(await may(node('n1'), 'get secrets ns late', state), true);
  });
});
