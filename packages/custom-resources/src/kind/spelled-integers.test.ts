import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answered } from '@orch/registry/testing';
import { crontab, crontabs, withCronTabs } from '../testing/crontabs.ts';
import { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const apps = '/apis/apps/v1/namespaces/default';
const core = '/api/v1/namespaces/default';
const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

/** Fields of declared types: the collection, the object with a number, and the path of the field. */
interface Field {
  readonly collection: string;
  readonly object: (number: string) => string;
  readonly path: readonly string[];
  readonly version: string;
  readonly kind: string;
}

const deployment = (spec: string, grace = ''): string =>
  `{"kind": "Deployment", "metadata": {"name": "a"}, "spec": {${spec} "selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, "spec": {${grace} "containers": [{"name": "c", "image": "i"}]}}}}`;

const fields: Readonly<Record<string, Field>> = {
  int32: {
    collection: `${apps}/deployments`,
    object: (number) => deployment(`"replicas": ${number},`),
    path: ['spec', 'replicas'],
    version: 'apps/v1',
    kind: 'Deployment',
  },
  int64: {
    collection: `${apps}/deployments`,
    object: (number) => deployment('', `"terminationGracePeriodSeconds": ${number},`),
    path: ['spec', 'template', 'spec', 'terminationGracePeriodSeconds'],
    version: 'apps/v1',
    kind: 'Deployment',
  },
  'int-or-string': {
    collection: `${apps}/deployments`,
    object: (number) => deployment(`"strategy": {"rollingUpdate": {"maxSurge": ${number}}},`),
    path: ['spec', 'strategy', 'rollingUpdate', 'maxSurge'],
    version: 'apps/v1',
    kind: 'Deployment',
  },
  quantity: {
    collection: `${core}/resourcequotas`,
    object: (number) =>
      `{"kind": "ResourceQuota", "metadata": {"name": "a"}, "spec": {"hard": {"pods": ${number}}}}`,
    path: ['spec', 'hard', 'pods'],
    version: 'v1',
    kind: 'ResourceQuota',
  },
};

type Write = (api: CustomResourcesFixture, field: Field, number: string) => Promise<Answered>;

const send = (method: string, contentType: string, body: (field: Field, number: string) => string): Write => {
  return (api, field, number) => {
    const object = method === 'POST' ? '' : '/a';
    const query = contentType === APPLY ? '?fieldManager=m&force=true' : '';
    return api.send(method, `${field.collection}${object}${query}`, {
      body: Buffer.from(body(field, number)),
      contentType,
    });
  };
};

const whole = (field: Field, number: string): string =>
  field.object(number).replace('{', `{"apiVersion": ${JSON.stringify(field.version)}, `);
const part = ({ path }: Field, number: string): string =>
  path.reduceRight((value, name) => `{"${name}":${value}}`, number);
const operation = ({ path }: Field, number: string): string =>
  `[{"op":"add","path":"/${path.join('/')}","value":${number}}]`;

const create = send('POST', JSON_TYPE, whole);
const createInYaml = send('POST', YAML, whole);

const writes: Readonly<Record<string, Write>> = {
  create,
  'create in YAML': createInYaml,
  update: send('PUT', JSON_TYPE, whole),
  'update in YAML': send('PUT', YAML, whole),
  'merge patch': send('PATCH', MERGE, part),
  'JSON patch': send('PATCH', JSON_PATCH, operation),
  'strategic merge patch': send('PATCH', STRATEGIC, part),
  apply: send('PATCH', APPLY, whole),
};

/** The status of each write in kube-apiserver 1.24.17 and 1.36.3, for a whole number of the type that is not written as digits. */
const refusals: Readonly<Record<string, number>> = {
  create: 400,
  update: 400,
  'merge patch': 422,
  'JSON patch': 422,
};

const valueIn = ({ text }: Answered, { path }: Field): unknown =>
  path.reduce((value, name) => (value as Record<string, unknown>)[name], JSON.parse(text) as unknown);

describe('numbers in fields of declared types', () => {
  for (const [type, field] of Object.entries(fields))
    for (const [title, write] of Object.entries(writes)) {
      const refused = type === 'quantity' ? undefined : refusals[title];
      const numbers = { '5.0': 5, '1e2': 100, '1E+2': 100, '-0.0': 0, '0e0': 0, '100e-2': 1 };
      const outcome = refused === undefined ? 'accepted' : `refused with ${refused}`;
      it(`${Object.keys(numbers).join(', ')} in a field of type ${type} are ${outcome} by ${title}`, async () => {
        await using api = await CustomResourcesFixture.open();
        const isCreate = title.startsWith('create');
        if (!isCreate) assert.equal((await create(api, field, '3')).status, 201);
        for (const [number, value] of Object.entries(numbers)) {
          const answer = await write(api, field, number);
          if (refused === undefined) {
            assert.ok(answer.status < 300, `${number}: ${answer.text}`);
            assert.equal(Number(valueIn(answer, field)), value, answer.text);
            if (isCreate) await api.send('DELETE', `${field.collection}/a`);
            continue;
          }
          assert.equal(answer.status, refused, `${number}: ${answer.text}`);
          assert.match(answer.text, /without a fraction or an exponent/);
          assert.ok(answer.text.includes(number), answer.text);
        }
      });
    }

  it('an integer field takes 1e18 in YAML and refuses it in JSON', async () => {
    await using api = await CustomResourcesFixture.open();
    const { int64 } = fields;
    assert.ok(int64 !== undefined);
    const json = await create(api, int64, '1e18');
    assert.equal(json.status, 400, json.text);
    const yaml = await createInYaml(api, int64, '1e18');
    assert.equal(yaml.status, 201, yaml.text);
    assert.match(yaml.text, /"terminationGracePeriodSeconds":1000000000000000000,/);
  });

  it('digits of any number up to the bounds of the type are accepted in JSON', async () => {
    for (const [type, number] of [
      ['int64', '9223372036854775807'],
      ['int64', '9007199254740993'],
      ['int32', '2147483647'],
      ['int-or-string', '2147483647'],
      ['int32', '-0'],
    ] as const) {
      await using api = await CustomResourcesFixture.open();
      const field = fields[type];
      assert.ok(field !== undefined);
      const { status, text } = await create(api, field, number);
      assert.equal(status, 201, text);
    }
  });

  it('a quantity keeps the exponent of a number', async () => {
    await using api = await CustomResourcesFixture.open();
    const { quantity } = fields;
    assert.ok(quantity !== undefined);
    const answer = await create(api, quantity, '1e10');
    assert.equal(valueIn(answer, quantity), '10e9');
  });

  it('content without declared types takes 5.0 as 5', async () => {
    await using api = await CustomResourcesFixture.open();
    const answer = await api.send('POST', `${apps}/controllerrevisions`, {
      body: Buffer.from('{"metadata":{"name":"a"},"revision":1,"data":{"a":5.0,"b":[1e2]}}'),
      contentType: JSON_TYPE,
    });
    assert.equal(answer.status, 201, answer.text);
    assert.match(answer.text, /"data":\{"a":5,"b":\[100\]\}/);
  });

  it('options and scales that come with requests refuse 5.0 as well, also those of custom resources', async () => {
    await using api = await withCronTabs();
    await api.post(crontabs(), { ...crontab('a'), spec: { cronSpec: '*', replicas: 1 } });
    const options = Buffer.from('{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":5.0}');
    const deleted = await api.send('DELETE', crontabs('a'), { body: options, contentType: JSON_TYPE });
    assert.equal(deleted.status, 400, deleted.text);
    const scale = Buffer.from('{"spec":{"replicas":5.0}}');
    const path = crontabs('a', 'v1', '/scale');
    const patched = await api.send('PATCH', path, { body: scale, contentType: MERGE });
    assert.equal(patched.status, 422, patched.text);
  });
});
