import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crontabs, DEFINITIONS, definition, established, GROUP, schemaOf, v1 } from '../testing/crontabs.ts';
import { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const name = `crontabs.${GROUP}`;
const withSpec = (properties: object, rules: readonly object[] = []): object =>
  definition([
    { ...v1, schema: schemaOf({ spec: { type: 'object', properties, 'x-orch-validations': rules } }) },
  ]);

const text = { type: 'string' };
const lenient = withSpec({ image: text, size: text });
/** Ways to make the definition stricter than the stored object. */
const stricter: readonly (readonly [title: string, definition: object, error: RegExp])[] = [
  ['a pattern', withSpec({ image: { ...text, pattern: '^[a-z]+$' }, size: text }), /spec\.image/],
  ['a maximum length', withSpec({ image: { ...text, maxLength: 2 }, size: text }), /spec\.image/],
  ['an enumeration', withSpec({ image: { ...text, enum: ['a', 'b'] }, size: text }), /spec\.image/],
  [
    'a validation rule on the field',
    withSpec({
      image: {
        ...text,
        'x-orch-validations': [{ rule: "self.startsWith('a')", message: 'must start with a' }],
      },
      size: text,
    }),
    /must start with a/,
  ],
];

describe('custom objects that a stricter definition makes invalid', () => {
  for (const [title, strict, error] of stricter)
    it(`custom objects that a stricter definition makes invalid are updated in other fields, and not in the invalid one, after the definition gets ${title}`, async () => {
      await using api = await CustomResourcesFixture.open();
      const made = await api.post(DEFINITIONS, lenient);
      assert.equal(made.status, 201, made.text);
      await established(api);
      const spec = { image: 'X99', size: 'small' };
      const created = await api.post(crontabs(), {
        apiVersion: `${GROUP}/v1`,
        kind: 'CronTab',
        metadata: { name: 'old' },
        spec,
      });
      assert.equal(created.status, 201, created.text);
      const changed = await api.put(`${DEFINITIONS}/${name}`, {
        ...strict,
        metadata: {
          name,
          resourceVersion: (await api.get(`${DEFINITIONS}/${name}`)).json.metadata.resourceVersion,
        },
      });
      assert.equal(changed.status, 200, changed.text);

      const labelled = await api.patch(crontabs('old'), { metadata: { labels: { a: 'b' } } });
      assert.equal(labelled.status, 200, labelled.text);
      const resized = await api.patch(crontabs('old'), { spec: { size: 'large' } });
      assert.equal(resized.status, 200, resized.text);
      assert.deepEqual(resized.json.spec, { image: 'X99', size: 'large' });
      const replaced = await api.put(crontabs('old'), { ...resized.json, spec: { ...spec, size: 'huge' } });
      assert.equal(replaced.status, 200, replaced.text);

      const refused = await api.patch(crontabs('old'), { spec: { image: 'Y99' } });
      assert.equal(refused.status, 422, refused.text);
      assert.match(refused.json.message, error);
      const another = await api.post(crontabs(), { ...created.json, metadata: { name: 'new' } });
      assert.equal(another.status, 422, another.text);
    });
});

const words = { type: 'string' };
const part = { type: 'object', required: ['key'], properties: { key: words, image: words } };
const listOf = (type: string, items: object): object => ({
  type: 'array',
  'x-orch-list-type': type,
  items,
  ...(type === 'map' ? { 'x-orch-list-map-keys': ['key'] } : {}),
});
const short = { ...words, maxLength: 2 };
const shortPart = { ...part, properties: { key: words, image: short } };
const partOf = (key: string, image: string): object => ({ key, image });
const long = partOf('a', 'long');

/** Changes of a list whose items became invalid, and the fields that are refused. */
const lists: readonly (readonly [
  title: string,
  type: string,
  items: readonly unknown[],
  fields: readonly string[],
])[] = [
  ['of a map keep an invalid item that another one precedes', 'map', [partOf('b', 'ok'), long], []],
  ['of a map change a valid item beside an invalid one', 'map', [long, partOf('c', 'x')], []],
  ['of a map give an invalid item another key', 'map', [partOf('z', 'long')], ['spec.list[0].image']],
  ['of a map change the invalid field of an item', 'map', [partOf('a', 'long2')], ['spec.list[0].image']],
  ['of a map add another invalid item', 'map', [long, partOf('c', 'long')], ['spec.list[1].image']],
  ['that are atomic stay as they are', 'atomic', [long], []],
  [
    'that are atomic get an item beside an invalid one',
    'atomic',
    [long, partOf('b', 'ok')],
    ['spec.list[0].image'],
  ],
  [
    'that are atomic have an invalid item at another position',
    'atomic',
    [partOf('b', 'ok'), long],
    ['spec.list[1].image'],
  ],
  ['of a set stay as they are', 'set', ['long'], []],
  ['of a set get an item beside an invalid one', 'set', ['long', 'ok'], ['spec.list[0]']],
];

describe('lists of custom objects that a stricter definition makes invalid', () => {
  for (const [title, type, items, fields] of lists)
    it(`${title}: an update is ${fields.length === 0 ? 'accepted' : `refused for ${fields.join()}`}`, async () => {
      await using api = await CustomResourcesFixture.open();
      const definitionOf = (list: object): object => withSpec({ list, size: words });
      const isSet = type === 'set';
      await api.post(DEFINITIONS, definitionOf(listOf(type, isSet ? words : part)));
      await established(api);
      const old = { apiVersion: `${GROUP}/v1`, kind: 'CronTab', metadata: { name: 'old' } };
      const created = await api.post(crontabs(), { ...old, spec: { list: isSet ? ['long'] : [long] } });
      assert.equal(created.status, 201, created.text);
      const { resourceVersion } = (await api.get(`${DEFINITIONS}/${name}`)).json.metadata;
      const changed = await api.put(`${DEFINITIONS}/${name}`, {
        ...definitionOf(listOf(type, isSet ? short : shortPart)),
        metadata: { name, resourceVersion },
      });
      assert.equal(changed.status, 200, changed.text);
      const updated = await api.patch(crontabs('old'), { spec: { list: items, size: 'x' } });
      assert.equal(updated.status, fields.length === 0 ? 200 : 422, updated.text);
      const causes: readonly { readonly field: string }[] = updated.json.details?.causes ?? [];
      assert.deepEqual(
        causes.map(({ field }) => field),
        fields,
      );
    });
});
