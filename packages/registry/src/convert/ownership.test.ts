import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RawEntry } from '@orch/apply';
import { configMap, pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';
import { managerOfAgent } from './ownership.ts';

const ns = '/api/v1/namespaces/default';

describe('the default field manager', () => {
  for (const [agent, manager] of [
    ['kubectl/v1.20.0 (linux/amd64) kubernetes/af46c47', 'kubectl'],
    ['Mozilla/5.0', 'Mozilla'],
    ['no slash at all', 'no slash at all'],
    ['/leading', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
    ['bell\u0007\u0000s/1', 'bells'],
    [`${'x'.repeat(200)}/1`, 'x'.repeat(128)],
    [`${'é'.repeat(100)}/1`, 'é'.repeat(64)],
  ] as const) {
    it(`the user agent ${JSON.stringify(agent)?.slice(0, 40)} gives the field manager ${JSON.stringify(manager).slice(0, 40)}`, () => {
      assert.equal(managerOfAgent(agent), manager);
    });
  }
});

describe('the characters of a default field manager', () => {
  it('the printable ones of ASCII are kept, and all others are left out', () => {
    for (let code = 0; code < 128; code += 1) {
      const character = String.fromCharCode(code);
      if (character === '/') continue;
      const kept = code >= 32 && code < 127 ? character : '';
      assert.equal(managerOfAgent(`a${character}b/1`), `a${kept}b`, `character ${code}`);
      // Another character that is not of ASCII requires the examination of each one.
      assert.equal(managerOfAgent(`a${character}é/1`), `a${kept}é`, `character ${code}`);
    }
  });
});

describe('reset fields of a subresource', () => {
  // biome-ignore lint/suspicious/noExplicitAny: entries of any form.
  const entriesOf = async (api: RegistryFixture, path: string): Promise<any[]> =>
    (await api.get(path)).json.metadata.managedFields;

  it('releases before 1.22 have the same reset fields, but entries without a subresource', async () => {
    await using api = await RegistryFixture.open({ release: '1.20' });
    await api.post(`${ns}/pods?fieldManager=me`, pod('p'));
    const body = { status: { message: 'x' }, spec: { activeDeadlineSeconds: 5 } };
    const answer = await api.patch(`${ns}/pods/p/status?fieldManager=agent`, body);
    assert.equal(answer.status, 200, answer.text);
    const agent = (await entriesOf(api, `${ns}/pods/p`)).find(({ manager }) => manager === 'agent');
    assert.deepEqual([agent.subresource, agent.fieldsV1], [undefined, { 'f:status': { 'f:message': {} } }]);
  });

  it('finalize resets all fields except the finalizers', async () => {
    await using api = await RegistryFixture.open();
    await api.post('/api/v1/namespaces?fieldManager=me', { metadata: { name: 'n' } });
    const body = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'n' },
      spec: { finalizers: ['example.com/own', 'orch'] },
      status: { phase: 'Terminating' },
    };
    const answer = await api.put('/api/v1/namespaces/n/finalize?fieldManager=f', body);
    assert.equal(answer.status, 200, answer.text);
    const own = (await entriesOf(api, '/api/v1/namespaces/n')).find(({ manager }) => manager === 'f');
    assert.deepEqual(own.fieldsV1, { 'f:spec': { 'f:finalizers': {} } });
    assert.equal(own.subresource, 'finalize');
  });
});

describe('an object restored from a backup', () => {
  it('a restored object is owned by its writer, without owners of missing fields', async () => {
    await using api = await RegistryFixture.open();
    const managedFields = [
      {
        manager: 'tool',
        operation: 'Apply',
        apiVersion: 'v1',
        time: '2020-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:k': {}, 'f:gone': {} } },
      },
    ];
    const { status, json } = await api.post(
      `${ns}/configmaps?fieldManager=backup`,
      configMap('a', { k: 'v' }, { managedFields }),
    );
    assert.equal(status, 201);
    const entries: readonly RawEntry[] = json.metadata.managedFields;
    const managers = entries.map((entry) => [entry['manager'], entry['fieldsV1']]);
    assert.deepEqual(managers, [['backup', { 'f:data': { '.': {}, 'f:k': {} } }]]);
  });
});

/** A request with an elliptic curve key, in PEM and base64. */
const signingRequest = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWU1IOENBUUF3SFRFTU1Bb0dBMVVFQ2d3RFpHVj',
  'JNUTB3Q3dZRFZRUUREQVJxWVc1bE1Ga3dFd1lIS29aSQp6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUVwUHdCUWtvbWt3',
  'cTVPdDhpQTF2TTQxMWJDdUZsb3BjUkQ3dS85ZENPCmRVdlJ1dkxwZTdkUlB5TkZuQlh0WHUreEFCamUvM1JER1FxbC',
  't3ZERqMnMzSDZBQU1Bb0dDQ3FHU000OUJBTUMKQTBrQU1FWUNJUUNFS1hUR1IxS2ZCSUluek9DdGNXOWEvcHJUeUd6',
  'ejVCRUxnc1E4TFYxMjl3SWhBTG1vUmdRcwovY204a1VBUTNzd3NsaGRVaGt0K2FQeVRhSkRDMUhGNVhnMHIKLS0tLS',
  '1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==',
].join('');

describe('a request for a certificate', () => {
  it('the spec of a request for a certificate has no owner, since nobody can change it', async () => {
    await using api = await RegistryFixture.open({ naming: 'kubernetes' });
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const request = (name: string) => ({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name, labels: { a: 'b' } },
      spec: { request: signingRequest, signerName: 'example.com/a', usages: ['client auth'] },
    });
    const created = await api.post(`${path}?fieldManager=agent`, request('created'));
    assert.equal(created.status, 201, created.text);
    const applied = await api.send('PATCH', `${path}/applied?fieldManager=agent`, {
      body: request('applied'),
      contentType: 'application/apply-patch+yaml',
    });
    assert.equal(applied.status, 201, applied.text);
    assert.equal(applied.json.spec.signerName, 'example.com/a');
    const labels = (more: object) => ({ 'f:metadata': { 'f:labels': { ...more, 'f:a': {} } } });
    const owned = ({ json }: typeof created) =>
      json.metadata.managedFields.map((entry: RawEntry) => entry['fieldsV1']);
    assert.deepEqual(owned(created), [labels({ '.': {} })]);
    assert.deepEqual(owned(applied), [labels({})]);
  });
});
