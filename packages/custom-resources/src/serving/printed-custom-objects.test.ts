import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Naming, namesFor } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import type { Answered } from '@orch/registry/testing';
import { conditionsOf } from '../testing/crontabs.ts';
import { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const GROUP = 'printed.example.com';
const boxes = `/apis/${GROUP}/v1/namespaces/default/boxes`;

/** A definition with embedded objects, preserved fields and every kind of list, in a naming. */
function definitionIn(naming: Naming): object {
  const { embeddedResource, preserveUnknownFields, intOrString, listType, listMapKeys } =
    namesFor(naming).schemaExtensions;
  const open = { type: 'object', [preserveUnknownFields]: true };
  const embedded = { ...open, [embeddedResource]: true };
  const item = { type: 'object', properties: { name: { type: 'string' }, port: { [intOrString]: true } } };
  const properties = {
    template: embedded,
    declared: {
      type: 'object',
      [embeddedResource]: true,
      properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 3 } } } },
    },
    templates: { type: 'array', items: embedded },
    free: open,
    ports: {
      type: 'array',
      [listType]: 'map',
      [listMapKeys]: ['name'],
      items: { ...item, required: ['name'] },
    },
    tags: { type: 'array', [listType]: 'set', items: { type: 'string' } },
    lines: { type: 'array', [listType]: 'atomic', items: { type: 'string' } },
    nothing: { type: 'string', nullable: true },
  };
  return {
    metadata: { name: `boxes.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'boxes', kind: 'Box' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              [preserveUnknownFields]: true,
              properties: { spec: { type: 'object', properties }, status: open },
            },
          },
        },
      ],
    },
  };
}

const pod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { a: 'b' }, annotations: { c: 'd' } },
  spec: { containers: [{ name: 'c', image: 'registry.example/c', other: { deep: [1, { x: 1.5 }] } }] },
});
const box = {
  apiVersion: `${GROUP}/v1`,
  kind: 'Box',
  metadata: { name: 'a', labels: { l: 'v' } },
  more: { preserved: [1, 2] },
  spec: {
    template: pod('t'),
    declared: { apiVersion: 'example.com/v1', kind: 'Inner', metadata: { name: 'i' }, spec: {} },
    templates: [pod('x'), pod('y')],
    free: { a: { b: [{ c: 1.5 }] }, kind: 'List', apiVersion: 'v1' },
    ports: [
      { name: 'web', port: 80 },
      { name: 'admin', port: 'http' },
    ],
    tags: ['a', 'b'],
    lines: ['x', 'x'],
    nothing: 'n',
  },
};

const PATCHES = {
  'JSON patch': 'application/json-patch+json',
  'merge patch': 'application/merge-patch+json',
};

interface Owned {
  readonly metadata: { readonly managedFields: readonly { readonly fieldsV1: object }[] };
}
const ownersOf = ({ metadata }: Owned): readonly object[] =>
  metadata.managedFields.map((entry) => entry.fieldsV1);

/** Fields without those of maps and lists as such, which an apply does not own. */
const leavesOf = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name !== '.')
      .map(([name, below]) => [name, leavesOf(below)]),
  );

for (const [naming, release, validation] of [
  ['orch', '1.27', 'Strict'],
  ['kubernetes', '1.27', 'Warn'],
  ['kubernetes', '1.24', 'Ignore'],
  ['orch', '1.24', ''],
] as const) {
  const title = `${release} with --naming=${naming} and fieldValidation=${validation}`;
  describe(`printed custom objects in ${title}`, () => {
    it(`every write takes a custom object with embedded and preserved fields as it is printed, in ${title}`, async () => {
      await using api = await CustomResourcesFixture.open({ naming, release });
      const query = validation === '' ? '' : `&fieldValidation=${validation}`;
      const definitions = `/apis/${namesFor(naming).apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;
      accepted(await api.post(definitions, definitionIn(naming)), 'definition', 201);
      const path = `${definitions}/boxes.${GROUP}`;
      await until(
        async () => conditionsOf(await api.get(path)).includes('Established=True'),
        'it is established',
      );
      accepted(await api.post(`${boxes}?fieldManager=m${query}`, box), 'create', 201);
      const a = `${boxes}/a`;
      const printed = (await api.get(a)).json;
      assert.equal(printed.spec.declared.spec.size, 3);
      assert.deepEqual(printed.more, box.more);
      assert.deepEqual((await api.get(boxes)).json.items[0].spec, printed.spec);
      // Sent again, nothing changes.
      assert.deepEqual(accepted(await api.put(`${a}?fieldManager=m${query}`, printed), 'update'), printed);
      const operations = Object.entries(printed).map(([name, value]) => ({
        op: 'replace',
        path: `/${name}`,
        value,
      }));
      for (const [what, contentType] of Object.entries(PATCHES)) {
        const body = what === 'JSON patch' ? operations : printed;
        const answer = await api.send('PATCH', `${a}?fieldManager=m${query}`, { body, contentType });
        assert.deepEqual(accepted(answer, what), printed, what);
      }
      // Created or applied from what is printed, another object has the same fields and owners.
      const { uid: _uid, resourceVersion: _rev, managedFields: _owners, ...metadata } = printed.metadata;
      const copy = { ...printed, metadata: { ...metadata, name: 'b' } };
      const contentType = 'application/apply-patch+yaml';
      const apply = (target: string) => api.send('PATCH', target, { body: copy, contentType });
      const dry = accepted(await apply(`${boxes}/b?fieldManager=m&dryRun=All${query}`), 'apply', 201);
      const created = accepted(await api.post(`${boxes}?fieldManager=m${query}`, copy), 'create', 201);
      assert.deepEqual(created.spec, printed.spec);
      assert.deepEqual(dry.spec, printed.spec);
      assert.deepEqual(ownersOf(dry).map(leavesOf), ownersOf(created).map(leavesOf));
      const applied = accepted(await apply(`${boxes}/b?fieldManager=n${query}`), 'apply by another manager');
      assert.deepEqual([applied.spec, applied.more], [printed.spec, printed.more]);
      assert.deepEqual(accepted(await apply(`${boxes}/b?fieldManager=n${query}`), 'second apply'), applied);
    });
  });
}

function accepted({ status, text, json, headers }: Answered, what: string, code = 200) {
  assert.equal(status, code, `${what}: ${text}`);
  assert.equal(headers['Warning'], undefined, what);
  return json;
}
