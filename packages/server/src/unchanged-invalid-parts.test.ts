import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crontabs, DEFINITIONS, definition, established, GROUP, schemaOf, v1 } from './testing/crontabs.ts';
import { ApiFixture } from './testing/index.ts';

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
    it(`are updated in other fields, and not in the invalid one, after the definition gets ${title}`, async () => {
      await using api = await ApiFixture.open();
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
