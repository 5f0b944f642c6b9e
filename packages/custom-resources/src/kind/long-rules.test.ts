import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { type Answered, countingIterations } from '@orch/registry/testing';
import { crontab, crontabs, type Version, withCronTabs } from '../testing/crontabs.ts';
import type { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const { validations } = namesFor('orch').schemaExtensions;

/** Elements of a list for which the rules take some pieces. */
const LONG = 150;

const listOf = (length: number, least = 0): readonly number[] =>
  Array.from({ length }, (_, index) => index + least);

const quadratic = (then: string): string => `self.list.all(x, self.list.all(y, x + y ${then}))`;

const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          cronSpec: { type: 'string' },
          later: { type: 'integer' },
          list: { type: 'array', maxItems: LONG, items: { type: 'integer' } },
        },
        [validations]: [
          { rule: `!has(self.list) || ${quadratic('>= 0')}`, message: 'sums must not be negative' },
          {
            rule: `!has(self.list) || ${quadratic('!= 100000')}`,
            messageExpression: `${quadratic('> 0')} ? 'one of the positive sums is 100000' : 'a sum is 100000'`,
          },
        ],
      },
      status: { type: 'object', properties: { phase: { type: 'string' } } },
    },
  },
};

/** `v1` does not have a field that `v2` has. */
const { later: _later, ...stored } = schema.openAPIV3Schema.properties.spec.properties;
const versions: readonly Version[] = [
  {
    name: 'v1',
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        ...schema.openAPIV3Schema,
        properties: {
          ...schema.openAPIV3Schema.properties,
          spec: { ...schema.openAPIV3Schema.properties.spec, properties: stored },
        },
      },
    },
  },
  { name: 'v2', served: true, storage: false, subresources: { status: {} }, schema },
];

const bodyOf = (name: string, list: readonly number[], version = 'v1'): object => ({
  ...crontab(name, '*', version),
  spec: { cronSpec: '*', list },
});

/** Each way to write an object: what it sends with a list. */
type Write = (api: CustomResourcesFixture, name: string, list: readonly number[]) => Promise<Answered>;

const applied = (
  api: CustomResourcesFixture,
  body: object,
  name: string,
  version: string,
): Promise<Answered> =>
  api.send('PATCH', `${crontabs(name, version)}?fieldManager=m&force=true`, {
    body,
    contentType: 'application/apply-patch+yaml',
  });

const writesIn = (version: string): Readonly<Record<string, Write>> => ({
  create: (api, name, list) => api.post(crontabs('', version), bodyOf(`${name}-new`, list, version)),
  'dry run': (api, name, list) =>
    api.post(`${crontabs('', version)}?dryRun=All`, bodyOf(`${name}-dry`, list, version)),
  'generated name': (api, name, list) =>
    api.post(crontabs('', version), {
      ...bodyOf('', list, version),
      metadata: { generateName: `${name}-` },
    }),
  put: async (api, name, list) => {
    const { metadata } = (await api.get(crontabs(name, version))).json;
    return api.put(crontabs(name, version), { ...bodyOf(name, list, version), metadata });
  },
  'merge patch': (api, name, list) => api.patch(crontabs(name, version), { spec: { list } }),
  'JSON patch': (api, name, list) =>
    api.patch(crontabs(name, version), [{ op: 'add', path: '/spec/list', value: list }], 'json'),
  apply: (api, name, list) => applied(api, bodyOf(name, list, version), name, version),
  'apply that creates': (api, name, list) =>
    applied(api, bodyOf(`${name}-applied`, list, version), `${name}-applied`, version),
});

describe('rules that take long', () => {
  let api: CustomResourcesFixture;
  before(async () => {
    const env = testEnv({ seed: 1 });
    let readings = 0;
    // Every piece of work takes a whole turn.
    Object.assign(env.clock, { monotonic: () => (readings += 10) });
    api = await withCronTabs({ env }, versions);
    // The rules of a version are compiled with its first write, in pieces as well.
    for (const version of ['v1', 'v2'])
      assert.equal(
        (await api.post(crontabs('', version), bodyOf(`first-${version}`, [1], version))).status,
        201,
      );
  });
  after(() => api[Symbol.asyncDispose]());

  let objects = 0;
  const newObject = async (): Promise<string> => {
    objects += 1;
    const name = `o${objects}`;
    const created = await api.post(crontabs(), bodyOf(name, [1]));
    assert.equal(created.status, 201, created.text);
    return name;
  };

  for (const version of ['v1', 'v2']) {
    for (const [how, write] of Object.entries(writesIn(version))) {
      it(`rules that take long let the event loop do other work: ${how} in ${version}`, async () => {
        const short = await countingIterations(write(api, await newObject(), [1, 2]));
        const long = await countingIterations(write(api, await newObject(), listOf(LONG)));
        for (const { result } of [short, long]) assert.ok([200, 201].includes(result.status), result.text);
        const pieces = long.iterations - short.iterations;
        assert.ok(pieces >= 4, `${short.iterations} and ${long.iterations} iterations`);
      });

      it(`rules that take long refuse what violates them: ${how} in ${version}`, async () => {
        const name = await newObject();
        const { status, json } = await write(api, name, listOf(LONG, -100));
        assert.equal(status, 422);
        const [cause, ...others] = json.details.causes;
        assert.deepEqual([cause.field, others], ['spec', []]);
        assert.match(cause.message, /sums must not be negative$/);
        assert.deepEqual((await api.get(crontabs(name))).json.spec.list, [1]);
      });
    }
  }

  it('rules that take long name the violated one by its message expression', async () => {
    const { status, json } = await api.post(crontabs(), bodyOf('named', listOf(LONG, 49_950)));
    assert.equal(status, 422);
    assert.match(json.details.causes[0].message, /one of the positive sums is 100000$/);
    assert.equal(json.details.causes[0].field, 'spec');
  });

  it('rules that take long leave a part that an update does not change as it is', async () => {
    const name = await newObject();
    const path = crontabs(name, 'v1', '/status');
    const { result } = await countingIterations(api.patch(path, { status: { phase: 'Ready' } }));
    assert.equal(result.status, 200, result.text);
  });

  it('rules that take long let the later of two writers of one object see what the earlier has written', async () => {
    const name = await newObject();
    const add = (field: string, value: number): Promise<Answered> =>
      api.patch(crontabs(name, 'v2'), {
        metadata: { labels: { [field]: 'x' } },
        spec: { list: listOf(LONG, value) },
      });
    const answers = await Promise.all([add('a', 1), add('b', 2), add('c', 3)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    const { metadata } = (await api.get(crontabs(name))).json;
    assert.deepEqual(Object.keys(metadata.labels).sort(), ['a', 'b', 'c']);
  });
});
