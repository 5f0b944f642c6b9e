import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answered } from '@orch/registry/testing';
import { crontab, crontabs, schemaOf, type Version, withCronTabs } from '../testing/crontabs.ts';
import type { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const struct = (properties: object): object => ({ type: 'object', properties });
const text = { type: 'string' };
const small = { type: 'integer', maximum: 9 };
const versionOf = (name: string, spec: object, status: object): Version => ({
  name,
  served: true,
  storage: name === 'v1',
  subresources: { status: {} },
  schema: schemaOf({ spec: struct(spec), status: struct(status) }),
});
const v1 = versionOf('v1', { both: text }, { both: text });
const v2 = versionOf('v2', { both: text, later: small }, { both: text, later: small });

describe('fields that the storage version of a definition without conversion does not declare', () => {
  let api: CustomResourcesFixture;
  before(async () => {
    api = await withCronTabs({}, [v1, v2]);
  });
  after(() => api[Symbol.asyncDispose]());

  const body = (name: string, spec: object, rest: object = {}): object => ({
    ...crontab(name, '', 'v2'),
    spec,
    ...rest,
  });
  const refusedFor = (answer: Answered, field: string): void => {
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(
      answer.json.details.causes.map((one: { readonly field: string }) => one.field),
      [field],
    );
  };
  const apply = (content: object): Promise<Answered> =>
    api.send('PATCH', `${crontabs('applied', 'v2')}?fieldManager=m`, {
      body: content,
      contentType: 'application/apply-patch+yaml',
    });

  it('fields that the storage version of a definition without conversion does not declare are not stored when they are valid', async () => {
    const created = await api.post(crontabs('', 'v2'), body('a', { both: 'x', later: 1 }));
    assert.deepEqual([created.status, created.json.spec], [201, { both: 'x' }], created.text);
    assert.deepEqual((await api.get(crontabs('a', 'v2'))).json.spec, { both: 'x' });
  });

  it('fields that the storage version of a definition without conversion does not declare are refused when they are not valid, by every write of the version that declares them', async () => {
    refusedFor(await api.post(crontabs('', 'v2'), body('b', { later: 10 })), 'spec.later');
    await api.post(crontabs('', 'v2'), body('c', { both: 'x' }));
    const { metadata } = (await api.get(crontabs('c', 'v2'))).json;
    refusedFor(await api.put(crontabs('c', 'v2'), body('c', { later: 10 }, { metadata })), 'spec.later');
    refusedFor(await api.patch(crontabs('c', 'v2'), { spec: { later: 10 } }), 'spec.later');
    const json = [{ op: 'add', path: '/spec/later', value: 10 }];
    refusedFor(await api.patch(crontabs('c', 'v2'), json, 'json'), 'spec.later');
    refusedFor(await apply(body('applied', { later: 10 })), 'spec.later');
    assert.equal((await apply(body('applied', { both: 'x' }))).status, 201);
    refusedFor(await apply(body('applied', { both: 'x', later: 10 })), 'spec.later');
    assert.deepEqual((await api.get(crontabs('c', 'v2'))).json.spec, { both: 'x' });
  });

  it('fields that the storage version of a definition without conversion does not declare are refused in what a path writes, and ignored in what it leaves as it is', async () => {
    const status = { later: 10 };
    const created = await api.post(crontabs('', 'v2'), body('d', { both: 'x' }, { status }));
    assert.equal(created.status, 201, created.text);
    const { metadata } = created.json;
    const replaced = await api.put(crontabs('d', 'v2'), body('d', { both: 'y' }, { metadata, status }));
    assert.equal(replaced.status, 200, replaced.text);
    const path = crontabs('d', 'v2', '/status');
    const next = replaced.json.metadata;
    refusedFor(await api.put(path, body('d', {}, { metadata: next, status })), 'status.later');
    const written = await api.put(
      path,
      body('d', { later: 10 }, { metadata: next, status: { both: 'z', later: 1 } }),
    );
    assert.equal(written.status, 200, written.text);
    assert.deepEqual([written.json.spec, written.json.status], [{ both: 'y' }, { both: 'z' }]);
  });
});
