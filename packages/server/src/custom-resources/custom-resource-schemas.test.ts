import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFINITION_VERSION, DEFINITIONS, established } from '@orch/custom-resources/testing';
import { settle } from '@orch/machinery/testing';
import { ApiFixture } from '../testing/index.ts';

const GROUP = 'sizes.example.com';
const boxes = `/apis/${GROUP}/v1/namespaces/default/boxes`;

const spec = {
  type: 'object',
  description: 'What the box is like.',
  properties: {
    min: { type: 'integer' },
    max: { type: 'integer' },
    color: { type: 'string', maxLength: 20 },
  },
  'x-orch-validations': [
    { rule: 'self.min <= self.max', message: 'min is too large', fieldPath: '.min' },
    { rule: '!has(oldSelf.color) || self.color == oldSelf.color', message: 'the color cannot change' },
  ],
};
const definition = {
  apiVersion: DEFINITION_VERSION,
  kind: 'CustomResourceDefinition',
  metadata: { name: `boxes.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'boxes', singular: 'box', kind: 'Box' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        selectableFields: [{ jsonPath: '.spec.color' }],
      },
    ],
  },
};
const box = (name: string, fields: object): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Box',
  metadata: { name },
  spec: { min: 1, max: 2, color: 'red', ...fields },
});

async function withBoxes(): Promise<ApiFixture> {
  const api = await ApiFixture.open();
  const created = await api.post(DEFINITIONS, definition);
  assert.equal(created.status, 201, created.text);
  await established(api, `boxes.${GROUP}`);
  return api;
}

describe('schemas of custom resources in a server', () => {
  it('schemas of custom resources in a server refuse objects that violate a validation rule, with its message and field', async () => {
    await using api = await withBoxes();
    const refused = await api.post(boxes, box('a', { min: 3 }));
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(
      refused.json.details.causes.map(({ field, message }: Record<string, string>) => [field, message]),
      [['spec.min', 'Invalid value: min is too large']],
    );
  });

  it('schemas of custom resources in a server refuse updates that violate a rule about changes', async () => {
    await using api = await withBoxes();
    assert.equal((await api.post(boxes, box('a', {}))).status, 201);
    assert.equal((await api.patch(`${boxes}/a`, { spec: { max: 9 } })).status, 200);
    const refused = await api.patch(`${boxes}/a`, { spec: { color: 'blue' } });
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /the color cannot change/);
  });

  it('field selectors select custom objects by their selectable fields', async () => {
    await using api = await withBoxes();
    for (const [name, color] of [
      ['a', 'red'],
      ['b', 'blue'],
    ] as const)
      assert.equal((await api.post(boxes, box(name, { color }))).status, 201);
    const list = await api.get(`${boxes}?fieldSelector=spec.color%3Dblue`);
    assert.deepEqual(
      list.json.items.map((item: { metadata: { name: string } }) => item.metadata.name),
      ['b'],
    );
  });

  it('schemas of custom resources in a server are published in the OpenAPI documents, and leave them with their definition', async () => {
    await using api = await withBoxes();
    const name = 'com.example.sizes.v1.Box';
    const v2 = await api.get('/openapi/v2');
    const described = v2.json.definitions[name];
    assert.equal(described.properties.spec.description, 'What the box is like.');
    assert.notEqual(v2.json.definitions[`${name}List`], undefined);
    const v3 = await api.get(`/openapi/v3/apis/${GROUP}/v1`);
    assert.deepEqual(
      v3.json.components.schemas[name].properties.spec['x-orch-validations'],
      spec['x-orch-validations'],
    );
    await api.delete(`${DEFINITIONS}/boxes.${GROUP}`);
    for (let turn = 0; turn < 300; turn++) {
      if ((await api.get(`${DEFINITIONS}/boxes.${GROUP}`)).status === 404) break;
      await settle();
    }
    const later = await api.get('/openapi/v2');
    assert.equal(later.json.definitions[name], undefined);
  });

  it('schemas of custom resources in a server refuse definitions whose rules do not compile, with the position of the problem', async () => {
    await using api = await ApiFixture.open();
    const wrong = structuredClone(definition);
    const [version] = wrong.spec.versions;
    assert.ok(version !== undefined);
    version.schema.openAPIV3Schema.properties.spec['x-orch-validations'] = [
      { rule: 'self.missing > 1', message: 'no', fieldPath: '.min' },
    ];
    const refused = await api.post(DEFINITIONS, wrong);
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /<input>:1:5: undefined field 'missing'/);
  });
});
