import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attributes } from '@orch/auth';
import { MemoryObjectSource } from '@orch/auth/testing';
import { namesFor } from '@orch/machinery';
import { testWrite, validated } from '../testing/plugin-calls.ts';
import { nodeRestriction } from './node-restriction.ts';

const permitted = 'permitted';

/** A cluster with a pod on node n1 that has these volumes. The audience `permitted` is permitted to the node by a rule. */
function clusterWith(volumes: readonly object[], restrictsAudiences = true) {
  const source = new MemoryObjectSource();
  const asked: Attributes[] = [];
  source.put('pods', {
    metadata: { name: 'p', namespace: 'ns', uid: 'p1' },
    spec: { nodeName: 'n1', volumes },
  });
  const driver = (name: string, audience?: string): void =>
    source.put('csidrivers.storage', {
      metadata: { name },
      spec: audience === undefined ? {} : { tokenRequests: [{ audience }] },
    });
  driver('secrets.example', 'vault');
  driver('plain.example');
  driver('pd.csi.storage.gke.io', 'cloud');
  const claim = (name: string, volumeName: string, volume?: object): void => {
    source.put('persistentvolumeclaims', { metadata: { name, namespace: 'ns' }, spec: { volumeName } });
    if (volume !== undefined)
      source.put('persistentvolumes', { metadata: { name: volumeName }, spec: volume });
  };
  claim('bound', 'pv', { csi: { driver: 'secrets.example' } });
  claim('p-scratch', 'scratch', { csi: { driver: 'secrets.example' } });
  claim('migrated', 'disk', { gcePersistentDisk: { pdName: 'd' } });
  claim('local', 'folder', { hostPath: { path: '/' } });
  claim('pending', '');
  const plugin = nodeRestriction({
    source,
    names: namesFor('orch'),
    restrictsAudiences,
    release: '1.37',
    authorizer: {
      authorize(attributes) {
        asked.push(attributes);
        const isPermitted = attributes.isResource && attributes.resource === permitted;
        return { verdict: isPermitted ? 'allow' : 'noOpinion', reason: '' };
      },
    },
  });
  const refusal = (...audiences: string[]) =>
    validated(
      plugin,
      testWrite({
        user: { name: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} },
        resource: 'serviceaccounts',
        subresource: 'token',
        namespace: 'ns',
        name: 'sa',
        object: {
          metadata: {},
          spec: { audiences, boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'p1' } },
        },
      }),
    );
  return { refusal, asked };
}

const projected = (audience?: string) => ({
  name: 'v',
  projected: {
    sources: [
      { configMap: { name: 'c' } },
      { serviceAccountToken: { path: 'token', ...(audience && { audience }) } },
    ],
  },
});
const csi = (driver: string) => ({ name: 'v', csi: { driver } });
const claimed = (claimName: string) => ({ name: 'v', persistentVolumeClaim: { claimName } });
const ephemeral = { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: {} } } };

const unneeded = /which no volume of the pod needs$/;

describe('audiences of tokens that a node requests', () => {
  for (const [title, volumes, audiences, expected] of [
    ['of a projected token', [projected('vault')], ['vault'], undefined],
    ['of the server, for a projected token without an audience', [projected()], [], undefined],
    ['of the server, which the pod has no volume for', [], [], unneeded],
    ['of the server, beside a projected token for another', [projected('vault')], [], unneeded],
    ['of the driver of a volume', [csi('secrets.example')], ['vault'], undefined],
    ['of the driver of a claim', [claimed('bound')], ['vault'], undefined],
    ['of the driver of an ephemeral claim', [ephemeral], ['vault'], undefined],
    [
      'of the driver that replaces a plugin',
      [{ name: 'v', gcePersistentDisk: { pdName: 'd' } }],
      ['cloud'],
      undefined,
    ],
    ['of the driver that replaces the plugin of a claim', [claimed('migrated')], ['cloud'], undefined],
    ['that a rule permits to the node', [claimed('local')], [permitted], undefined],
    ['of a driver that the pod does not use', [csi('plain.example')], ['vault'], unneeded],
    ['of no volume', [claimed('local'), { name: 'w', emptyDir: {} }], ['vault'], unneeded],
    ['beside another one', [projected('vault')], ['vault', 'vault'], /only request tokens for one audience$/],
    ['of a driver that does not exist', [csi('gone.example')], [permitted], /"gone.example" does not exist$/],
    ['of a claim that does not exist', [claimed('gone')], ['vault'], /claim "gone" does not exist$/],
    [
      'of a claim without a volume',
      [claimed('pending')],
      ['vault'],
      /volume "" of the claim "pending" does not exist$/,
    ],
    [
      'of a volume, beside a claim that does not exist',
      [claimed('gone'), projected('vault')],
      ['vault'],
      undefined,
    ],
  ] as const)
    it(`a node ${expected === undefined ? 'may' : 'may not'} request the audience ${title}`, async () => {
      const reason = await clusterWith(volumes).refusal(...audiences);
      if (expected === undefined) assert.equal(reason, undefined);
      else assert.match(reason ?? 'admitted', expected);
    });

  it('the permission of a node is about the audience as a resource, and the account as its name', async () => {
    const { refusal, asked } = clusterWith([]);
    await refusal(permitted);
    assert.deepEqual(
      asked.map(({ user, ...rest }) => ({ user: user.name, ...rest })),
      [
        {
          ...{ user: 'system:node:n1', isResource: true, verb: 'request-serviceaccounts-token-audience' },
          ...{ group: '', version: 'v1', resource: permitted, subresource: '', namespace: 'ns', name: 'sa' },
        },
      ],
    );
  });

  it('a node may request every audience in releases that do not restrict them', async () => {
    assert.equal(await clusterWith([], false).refusal('a', 'b'), undefined);
  });
});
