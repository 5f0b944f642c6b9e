import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { type LaunchedServer, launchServer } from '@orch/testkit';

const apiVersion = namesFor('orch').apiVersion('apiextensions', 'v1');
const definitions = `/apis/${apiVersion}/customresourcedefinitions`;
const group = 'huge.example.com';

/** The JSON of a definition with this schema; text, because nested objects of 20,000 levels cannot be encoded. */
const definition = (schema: string): string =>
  `{"apiVersion":"${apiVersion}","kind":"CustomResourceDefinition","metadata":{"name":"things.${group}"},` +
  `"spec":{"group":"${group}","scope":"Namespaced","names":{"plural":"things","kind":"Thing"},` +
  `"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]}}`;

const nested = (levels: number): string =>
  `${'{"type":"object","properties":{"a":'.repeat(levels)}{"type":"string"}${'}}'.repeat(levels)}`;
const wide = (fields: number, field: string): string =>
  `{"type":"object","properties":{${Array.from({ length: fields }, (_, at) => `"field${at}":${field}`).join(',')}}}`;

describe('definitions of custom resources that are very large, deep or malformed', () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer();
  });
  after(() => server[Symbol.asyncDispose]());

  for (const [title, schema, status, message] of [
    ['a schema with 20,000 levels', nested(20_000), 400, /nested|depth|deep/i],
    ['a schema of 3.5 MiB', wide(70_000, '{"type":"string","maxLength":10}'), 413, /too large|limit/i],
    ['a schema that refers to itself', '{"type":"object","properties":{"a":{"$ref":"#"}}}', 422, /\$ref/],
    [
      'a pattern that is not a regular expression',
      wide(1, '{"type":"string","pattern":"("}'),
      422,
      /pattern/,
    ],
    [
      'a default that does not fit its schema',
      wide(1, '{"type":"integer","default":"text"}'),
      422,
      /properties\[field0\]\.default/,
    ],
    [
      'a rule with an error',
      '{"type":"object","x-orch-validations":[{"rule":"self.missing == 1"}]}',
      422,
      /x-orch-validations\[0\]\.rule/,
    ],
  ] as const)
    it(`${title} is refused with ${status} and a message, and the server serves others`, async () => {
      const refused = await server.client.post(definitions, definition(schema));
      assert.equal(refused.status, status, refused.text.slice(0, 500));
      const { message: text } = refused.json as { readonly message: string };
      assert.match(text, message);
      assert.ok(text.length < 20_000, `${text.length} characters`);
      assert.equal((await server.client.get('/readyz')).status, 200);
    });

  it('properties named __proto__, constructor and with an empty name are fields of objects like others', async () => {
    const spec =
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"":{"type":"string"}}}';
    const created = await server.client.post(
      definitions,
      definition(`{"type":"object","properties":{"spec":${spec}}}`),
    );
    assert.equal(created.status, 201, created.text);
    const things = `/apis/${group}/v1/namespaces/default/things`;
    const deadline = AbortSignal.timeout(30_000);
    while ((await server.client.get(things)).status === 404) deadline.throwIfAborted();
    const thing = (fields: string): string =>
      `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"a"},"spec":{${fields}}}`;
    const fields = '"":"empty","__proto__":"text","constructor":7';
    const stored = await server.client.post(things, thing(`${fields},"toString":"pruned"`));
    assert.equal(stored.status, 201, stored.text);
    const { text } = await server.client.get(`${things}/a`);
    assert.ok(text.includes(`"spec":{${fields}}`), text);
    const refused = await server.client.post(
      things,
      thing('"__proto__":{"polluted":true},"constructor":"text"'),
    );
    assert.equal(refused.status, 422);
    assert.match(refused.text, /spec\.__proto__.*spec\.constructor/);
    assert.equal(({} as { readonly polluted?: boolean }).polluted, undefined);
    assert.equal((await server.client.get('/readyz')).status, 200);
  });
});
