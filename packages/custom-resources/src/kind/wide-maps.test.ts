import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import type { Answered } from '@orch/registry/testing';
import { crontab, crontabs, DEFINITIONS, GROUP, type Version, withCronTabs } from '../testing/crontabs.ts';
import type { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const { preserveUnknownFields, validations } = namesFor('orch').schemaExtensions;

/** Listing this many names takes longer than an expression may. */
const KEYS = 45_000;
const wide = Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`k${index}`, 1]));

/** Places of wide maps, and rules that list them. */
const places: Readonly<Record<string, { readonly schema: object; readonly rule: string }>> = {
  map: {
    schema: { type: 'object', maxProperties: 100_000, additionalProperties: { type: 'integer' } },
    rule: 'self.map.all(k, k != "")',
  },
  free: {
    schema: { type: 'object', [preserveUnknownFields]: true },
    rule: 'self.free == self.free',
  },
};

const versionsWith = (field: string, hasRule: boolean): readonly Version[] => {
  const { rule, schema } = places[field] as { readonly schema: object; readonly rule: string };
  const properties = { cronSpec: { type: 'string' }, [field]: schema };
  const rules = hasRule ? { [validations]: [{ rule: `!has(self.${field}) || ${rule}` }] } : {};
  const spec = { type: 'object', properties, ...rules };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } },
    { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema } },
  ];
};

/** Wide objects whose names expressions have listed. */
let listed = 0;

describe('maps with more keys than an expression may list', () => {
  const { keys } = Object;
  before(() => {
    // Not a mock of the test runner: that would keep the arguments and a stack of every call.
    Object.keys = (object: object) => {
      const names = keys(object);
      if (names.length >= KEYS && /json-map\.ts/.test(new Error('listed').stack ?? '')) listed += 1;
      return names;
    };
  });
  after(() => {
    Object.keys = keys;
  });
  afterEach(() => {
    listed = 0;
  });

  for (const [field, { rule }] of Object.entries(places)) {
    describe(`in ${rule}`, () => {
      let api: CustomResourcesFixture;
      before(async () => {
        api = await withCronTabs({}, versionsWith(field, false));
        const body = { ...crontab('stored'), spec: { cronSpec: '*', [field]: wide } };
        assert.equal((await api.post(crontabs(), body)).status, 201);
        const path = `${DEFINITIONS}/crontabs.${GROUP}`;
        const changed = await api.patch(path, { spec: { versions: versionsWith(field, true) } });
        assert.equal(changed.status, 200, changed.text);
        await until(
          async () => (await api.post(crontabs(), { ...body, metadata: { name: 'other' } })).status === 422,
          'the rule is served',
        );
      });
      after(() => api[Symbol.asyncDispose]());

      const path = crontabs('stored', 'v2');
      const sent = (name: string): object => ({
        ...crontab(name, '*', 'v2'),
        spec: { cronSpec: '*', [field]: wide },
      });
      const writes: Readonly<Record<string, () => Promise<Answered>>> = {
        create: () => api.post(crontabs('', 'v2'), sent('new')),
        put: async () => {
          const { metadata } = (await api.get(path)).json;
          const spec = { cronSpec: 'x', [field]: { ...wide, more: 1 } };
          return api.put(path, { ...sent('stored'), metadata, spec });
        },
        'merge patch': () => api.patch(path, { spec: { [field]: { more: 1 } } }),
        'JSON patch': () => api.patch(path, [{ op: 'add', path: `/spec/${field}/more`, value: 1 }], 'json'),
        apply: () =>
          api.send('PATCH', `${path}?fieldManager=m&force=true`, {
            body: { ...sent('stored'), spec: { [field]: { more: 1 } } },
            contentType: 'application/apply-patch+yaml',
          }),
        YAML: () =>
          api.send('POST', crontabs('', 'v2'), {
            body: `${JSON.stringify(sent('yaml'))}\n`,
            contentType: 'application/yaml',
          }),
      };
      for (const [how, write] of Object.entries(writes))
        it(`wide maps are refused before they are listed: ${how}`, async () => {
          const answer = await write();
          assert.equal(answer.status, 422, answer.text.slice(0, 500));
          assert.match(answer.json.message, /cost limit exceeded/);
          assert.equal(listed, 0);
        });
    });
  }
});
