import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answered } from '@orch/registry/testing';
import {
  crontab,
  crontabs,
  DEFINITIONS,
  definition,
  established,
  schemaOf,
  v1,
  withCronTabs,
} from '../testing/crontabs.ts';
import type { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const LIMIT = 1_572_864;
/** Each of the bombs has defaults of twice the limit or more. */
const BOMB_BYTES = 32_000;
const filler = 'x'.repeat(1000);
const list = (items: object, rest: object = {}): object => ({ type: 'array', items, ...rest });

/** Each `{}` of the list becomes a thousand characters. */
const part = { type: 'object', properties: { text: { type: 'string', default: filler } } };
const spec = {
  type: 'object',
  properties: {
    cronSpec: { type: 'string' },
    parts: list(part),
    texts: list({ type: 'string', default: filler }),
    map: { type: 'object', additionalProperties: part },
  },
};
const version = { ...v1, schema: schemaOf({ spec, status: spec }), subresources: { status: {} } };

const repeated = (text: string, bytes: number): string =>
  Array.from({ length: Math.floor(bytes / (text.length + 1)) }, () => text).join();
const named = (bytes: number): string =>
  Array.from({ length: Math.floor(bytes / 10) }, (_, i) => `"${i}":{}`).join();
const bombs: Readonly<Record<string, (bytes: number) => string>> = {
  'objects in a list': (bytes) => `{"parts":[${repeated('{}', bytes)}]}`,
  'nulls in a list': (bytes) => `{"texts":[${repeated('null', bytes)}]}`,
  'objects in a map': (bytes) => `{"map":{${named(bytes)}}}`,
};

const object = (value: string, field = 'spec', name = 'b'): string => {
  const { spec: _spec, ...head } = crontab(name) as { readonly spec: object };
  return JSON.stringify(head).replace(/\}$/, `,"${field}":${value}}`);
};

const patchOf =
  (contentType: string, body: (value: string) => string, query = '') =>
  (api: CustomResourcesFixture, value: string) =>
    api.send('PATCH', crontabs('a') + query, { body: body(value), contentType });

const writes: Readonly<Record<string, (api: CustomResourcesFixture, value: string) => Promise<Answered>>> = {
  'a create': (api, value) => api.send('POST', crontabs(), { body: object(value) }),
  'a dry run of a create': (api, value) =>
    api.send('POST', `${crontabs()}?dryRun=All`, { body: object(value) }),
  'an update': (api, value) => api.send('PUT', crontabs('a'), { body: object(value, 'spec', 'a') }),
  'an update of the status': (api, value) =>
    api.send('PUT', crontabs('a', 'v1', '/status'), { body: object(value, 'status', 'a') }),
  'a merge patch': patchOf('application/merge-patch+json', (value) => `{"spec":${value}}`),
  'a dry run of a merge patch': patchOf(
    'application/merge-patch+json',
    (value) => `{"spec":${value}}`,
    '?dryRun=All',
  ),
  'a JSON patch': patchOf(
    'application/json-patch+json',
    (value) => `[{"op":"add","path":"/spec","value":${value}}]`,
  ),
  'an apply': patchOf(
    'application/apply-patch+yaml',
    (value) => object(value, 'spec', 'a'),
    '?fieldManager=m&force=true',
  ),
};

describe('an object whose defaults are larger than a store accepts', () => {
  let shared: CustomResourcesFixture;
  before(async () => {
    shared = await withCronTabs({}, [version]);
    assert.equal((await shared.post(crontabs(), crontab('a'))).status, 201);
  });
  after(() => shared[Symbol.asyncDispose]());

  for (const [title, write] of Object.entries(writes))
    it(`an object that defaults make too large is refused by ${title} with the limit, and nothing is stored`, async () => {
      const stored = await shared.get(crontabs());
      for (const [what, bomb] of Object.entries(bombs)) {
        const { json, status, text } = await write(shared, bomb(BOMB_BYTES));
        assert.equal(status, 422, `${what}: ${text.slice(0, 300)}`);
        assert.match(json.message, new RegExp(`limit of ${LIMIT} bytes`), what);
      }
      assert.deepEqual((await shared.get(crontabs())).json, stored.json);
    });

  it('an object that defaults make too large is refused whatever the size of the request that a server accepts', async () => {
    await using api = await withCronTabs({}, [version]);
    for (const bytes of [600_000, 2_100_000]) {
      const { status, text } = await api.send('POST', crontabs(), {
        body: object(bombs['objects in a list']?.(bytes) ?? ''),
      });
      assert.equal(status, 422, text.slice(0, 300));
      assert.ok(text.length < 2000);
    }
  });

  it('an object that defaults make too large is refused when a JSON patch makes it of copies of copies', async () => {
    await using api = await withCronTabs({}, [version]);
    const created = await api.send('POST', crontabs(), {
      body: object(`{"parts":[${repeated('{}', 300)}]}`),
    });
    assert.equal(created.status, 201, created.text.slice(0, 300));
    const doubling = [
      { op: 'copy', from: '/spec/parts', path: '/spec/map' },
      ...Array.from({ length: 20 }, (_, i) => ({ op: 'copy', from: '/spec', path: `/spec/copy${i}` })),
    ];
    const { status, text } = await api.patch(crontabs('b'), doubling, 'json');
    assert.ok([413, 422].includes(status), text.slice(0, 300));
    assert.ok(text.length < 5000);
  });

  it('an object is stored while its defaults are within the limit', async () => {
    await using api = await withCronTabs({}, [version]);
    const { json, status, text } = await api.send('POST', crontabs(), {
      body: object(`{"parts":[${repeated('{}', 3 * 1400)}]}`),
    });
    assert.equal(status, 201, text.slice(0, 300));
    assert.equal(json.spec.parts[1399].text.length, 1000);
  });

  it('an object is served without the defaults beyond the limit where a definition declares them later', async () => {
    await using api = await withCronTabs({}, [
      {
        ...version,
        schema: schemaOf({
          spec: { ...spec, properties: { ...spec.properties, parts: list({ type: 'object' }) } },
        }),
      },
    ]);
    const created = await api.send('POST', crontabs(), {
      body: object(bombs['objects in a list']?.(150_000) ?? ''),
    });
    assert.equal(created.status, 201, created.text.slice(0, 300));
    const path = `${DEFINITIONS}/crontabs.stable.example.com`;
    const current = (await api.get(path)).json;
    const { spec: next } = definition([version]) as { readonly spec: object };
    assert.equal((await api.put(path, { ...current, spec: next })).status, 200);
    await established(api);
    const read = await api.get(crontabs('b'));
    assert.equal(read.status, 200);
    assert.equal(read.json.spec.parts.length, 50_000);
    assert.ok(read.text.length < 2 * LIMIT, String(read.text.length));
    const written = await api.patch(crontabs('b'), { spec: { cronSpec: 'x' } });
    assert.equal(written.status, 422, written.text.slice(0, 300));
    const repaired = await api.patch(crontabs('b'), { spec: { parts: null } });
    assert.equal(repaired.status, 200, repaired.text.slice(0, 300));
  });

  it('an object is refused for a definition whose defaults contain each other', async () => {
    await using api = await withCronTabs();
    const empty = Array.from({ length: 1000 }, () => ({}));
    let inner: object = { type: 'object', properties: { text: { type: 'string', default: 'x' } } };
    for (let level = 0; level < 5; level++)
      inner = { type: 'object', properties: { parts: list(inner, { default: empty }) } };
    const path = `${DEFINITIONS}/crontabs.stable.example.com`;
    const current = (await api.get(path)).json;
    const nested = {
      ...v1,
      schema: schemaOf({
        spec: { type: 'object', properties: { cronSpec: { type: 'string' }, parts: inner } },
      }),
      subresources: {},
    };
    const defined = await api.put(path, {
      ...current,
      spec: (definition([nested]) as { readonly spec: object }).spec,
    });
    if (defined.status !== 200) {
      assert.equal(defined.status, 422, defined.text.slice(0, 300));
      return;
    }
    const { status, text } = await api.send('POST', crontabs(), { body: object('{"parts":{}}') });
    assert.equal(status, 422, text.slice(0, 300));
  });

  it('an object of a built-in kind that defaults make too large is refused', async () => {
    await using api = await withCronTabs();
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: ['HERE'] } };
    const body = JSON.stringify(pod).replace('"HERE"', repeated('{}', 600_000));
    const { status, text } = await api.send('POST', '/api/v1/namespaces/default/pods', { body });
    assert.equal(status, 422, text.slice(0, 300));
    assert.match(text, new RegExp(`limit of ${LIMIT} bytes`));
  });
});
