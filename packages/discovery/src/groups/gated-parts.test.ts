import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { signingKey, signToken, tokenIssuer } from '@orch/auth';
import type { RegistryFixtureOptions } from '@orch/registry/testing';
import { openDiscovery } from '../testing/index.ts';

const key = signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const issuing: Pick<RegistryFixtureOptions, 'tokenIssuerOf'> = {
  tokenIssuerOf: ({ clock }, names) =>
    tokenIssuer({
      names,
      clock,
      sign: (claims) => signToken(claims, key),
      issuer: 'https://a',
      audiences: ['https://a'],
      maxSeconds: 0,
      extend: true,
    }),
};

async function entry(options: RegistryFixtureOptions, path: string, name: string): Promise<unknown> {
  await using api = await openDiscovery(options);
  return (await api.get(path)).json.resources?.find((resource: { name: string }) => resource.name === name);
}

async function columns(release: string, gates: readonly string[] = []): Promise<readonly string[]> {
  await using api = await openDiscovery({ release, openGates: new Set(gates) });
  const path = '/apis/storage.orch.io/v1/csidrivers';
  await api.post(path, { metadata: { name: 'd' }, spec: {} });
  const { json } = await api.get(path, { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' });
  assert.equal(json.rows[0].cells.length, json.columnDefinitions.length);
  return json.columnDefinitions.map((column: { name: string }) => column.name);
}

describe('resources in discovery', () => {
  it('serviceaccounts/token is listed when the server can sign tokens', async () => {
    assert.deepEqual(await entry(issuing, '/api/v1', 'serviceaccounts/token'), {
      name: 'serviceaccounts/token',
      singularName: '',
      namespaced: true,
      group: 'authentication.orch.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
    });
  });

  it('serviceaccounts/token is not listed without a signing key', async () => {
    assert.equal(await entry({}, '/api/v1', 'serviceaccounts/token'), undefined);
  });

  it('networkpolicies/status is listed only with the gate NetworkPolicyStatus', async () => {
    const status = (release: string, gates: readonly string[]): Promise<unknown> =>
      entry({ release, openGates: new Set(gates) }, '/apis/networking.orch.io/v1', 'networkpolicies/status');
    const gates = ['NetworkPolicyStatus'];
    assert.deepEqual([await status('1.23', gates), await status('1.24', [])], [undefined, undefined]);
    assert.deepEqual(await status('1.24', gates), {
      name: 'networkpolicies/status',
      singularName: '',
      namespaced: true,
      kind: 'NetworkPolicy',
      verbs: ['get', 'patch', 'update'],
    });
  });

  it('storage v1 has CSIDriver from 1.19 on', async () => {
    const driver = (release: string): Promise<unknown> =>
      entry({ release }, '/apis/storage.orch.io/v1', 'csidrivers');
    assert.equal(await driver('1.18'), undefined);
    assert.notEqual(await driver('1.19'), undefined);
  });

  it('every scale has its group version in discovery', async () => {
    const scale = await entry({ release: '1.15' }, '/apis/apps/v1beta1', 'deployments/scale');
    assert.deepEqual(
      [(scale as { group?: string }).group, (scale as { version?: string }).version],
      ['apps', 'v1beta1'],
    );
  });
});

describe('columns of CSI drivers', () => {
  const first = ['Name', 'AttachRequired', 'PodInfoOnMount'];
  const tokens = ['TokenRequests', 'RequiresRepublish'];
  const last = ['Modes', 'Age'];
  for (const [title, release, gates, expected] of [
    ['are few in 1.20', '1.20', [], [...first, ...last]],
    [
      'include capacity in 1.20 with its gate',
      '1.20',
      ['CSIStorageCapacity'],
      [...first, 'StorageCapacity', ...last],
    ],
    [
      'include tokens in 1.20 with their gate',
      '1.20',
      ['CSIServiceAccountToken'],
      [...first, ...tokens, ...last],
    ],
    ['include both from 1.21 on', '1.21', [], [...first, 'StorageCapacity', ...tokens, ...last]],
    ['include both when the gates are gone', '1.27', [], [...first, 'StorageCapacity', ...tokens, ...last]],
  ] as const) {
    it(`the columns of CSI drivers ${title}`, async () =>
      assert.deepEqual(await columns(release, gates), expected));
  }
});

describe('the name label of namespaces', () => {
  for (const [release, expected] of [
    ['1.20', undefined],
    ['1.21', { 'orch.io/metadata.name': 'a' }],
  ] as const) {
    it(`the name label is ${expected === undefined ? 'not ' : ''}set in ${release}`, async () => {
      await using api = await openDiscovery({ release });
      const { json } = await api.post('/api/v1/namespaces', { metadata: { name: 'a' } });
      assert.deepEqual(json.metadata.labels, expected);
    });
  }
});
