import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';

const map = (name: string, data: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

// biome-ignore lint/suspicious/noExplicitAny: answers of any form.
type Any = any;

const entry = (manager: string, fieldsV1: unknown, more: object = {}): object => ({
  manager,
  operation: 'Apply',
  apiVersion: 'v1',
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});

const owners = (answer: ApiResponse): string[] =>
  ((answer.json as Any).metadata.managedFields ?? []).map(
    ({ manager, operation }: Any) => `${manager} ${operation}`,
  );

const nested = (depth: number): string => `${'{"f:a":'.repeat(depth)}{}${'}'.repeat(depth)}`;

describe('forged field owners and expensive applies', { timeout: 120_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer();
  });
  after(async () => {
    assert.equal((await server.client.get('/readyz')).status, 200, 'the server still runs');
    await server[Symbol.asyncDispose]();
  });
  const apply = (name: string, body: string | object, query = ''): Promise<ApiResponse> =>
    server.client.send('PATCH', `${maps}/${name}?fieldManager=good${query}`, { body, contentType: APPLY });

  for (const [what, entries] of [
    ['claims fields that do not exist', [entry('bad', { 'f:data': { 'f:x': {}, 'f:y': {} }, 'f:spec': {} })]],
    ['claims what only the server writes', [entry('bad', { 'f:metadata': { 'f:uid': {}, 'f:name': {} } })]],
    ['is not a set at all', [entry('bad', { 'f:data': 5 })]],
    ['nests deeper than anything', [entry('bad', JSON.parse(nested(2_000)))]],
    ['is a list of a hundred thousand', Array.from({ length: 100_000 }, () => ({}))],
    ['has steps of no form', [entry('bad', { 'x:y': {}, 'k:{': {}, 'i:-1': {}, 'v:{}': {} })]],
    ['speaks of __proto__', [entry('bad', JSON.parse('{"f:__proto__":{"f:polluted":{}}}'))]],
    ['has a name of control characters', [entry('bad\r\nX: y', { 'f:data': {} })]],
  ] as const) {
    for (const way of ['create', 'update', 'status'] as const) {
      it(`a ${way} with a managedFields list that ${what} changes no field owners`, async () => {
        const name = `forged-${what
          .replace(/[^a-z]+/gi, '-')
          .slice(0, 30)
          .toLowerCase()}-${way}`.replace(/-+/g, '-');
        const isStatus = way === 'status';
        const metadata = { managedFields: entries };
        let answer: ApiResponse;
        if (way === 'create')
          answer = await server.client.post(`${maps}?fieldManager=me`, map(name, { a: '1' }, metadata));
        else {
          const base = isStatus ? deployments : maps;
          const made = isStatus
            ? await server.client.post(`${base}?fieldManager=me`, {
                metadata: { name },
                spec: {
                  selector: { matchLabels: { a: 'b' } },
                  template: {
                    metadata: { labels: { a: 'b' } },
                    spec: { containers: [{ name: 'c', image: 'i' }] },
                  },
                },
              })
            : await server.client.post(`${base}?fieldManager=me`, map(name, { a: '1' }));
          assert.equal(made.status, 201, made.text.slice(0, 300));
          const body = JSON.stringify({ metadata });
          const target = `${base}/${name}${isStatus ? '/status' : ''}?fieldManager=me`;
          answer = await server.client.send('PATCH', target, { body, contentType: MERGE });
        }
        assert.ok([200, 201, 400, 413, 422].includes(answer.status), answer.text.slice(0, 300));
        if (answer.status >= 400) return;
        // A writer can give up its own fields only; an update is left without owners then.
        const expected = way === 'update' ? [[], ['me Update']] : [['me Update']];
        assert.ok(
          expected.some((one) => isDeepStrictEqual(owners(answer), one)),
          owners(answer).join(),
        );
        assert.ok(!answer.text.includes('polluted'));
      });
    }
  }

  it('a writer that removes the entry of an owner becomes the only owner of the fields it changes', async () => {
    assert.equal((await apply('hidden', map('hidden', { a: '1' }))).status, 201);
    // Clients that may update can remove the entry of another manager; the field has no owner then, rather than a forged one.
    const forged = await server.client.send('PATCH', `${maps}/hidden?fieldManager=thief`, {
      body: JSON.stringify({
        metadata: { managedFields: [entry('decoy', { 'f:data': { 'f:a': {} } })] },
        data: { a: '2' },
      }),
      contentType: MERGE,
    });
    assert.equal(forged.status, 200, forged.text);
    const found = (forged.json as Any).metadata.managedFields;
    const thief = found.find(({ manager }: Any) => manager === 'thief');
    assert.deepEqual(thief.fieldsV1, { 'f:data': { 'f:a': {} } });
    const decoy = found.find(({ manager }: Any) => manager === 'decoy');
    assert.equal(decoy, undefined, 'what the thief changed is not the decoy’s');
  });

  const deep = (levels: number): string =>
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
  for (const [what, body, codes] of [
    ['nests 100,000 levels deep', deep(100_000), [400]],
    [
      'consists of a hundred thousand unknown fields',
      map('x', {}, Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`f${i}`, 1]))),
      [400],
    ],
    [
      'is a map of a hundred thousand entries',
      map('x', Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, 'v']))),
      [201, 413, 422],
    ],
    [
      'multiplies itself by aliases',
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\na: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map((letter, i) => `${letter}: &${letter} [${Array(10).fill(`*${'abcdefghij'[i]}`).join(',')}]`)
        .join('\n')}\n`,
      [400],
    ],
    [
      'says __proto__',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"__proto__":"v"}}',
      [201, 422],
    ],
    [
      'is of constructors',
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"constructor":{"prototype":{"polluted":1}}}',
      [400],
    ],
  ] as const) {
    it(`an applied configuration that ${what} is answered with ${codes.join(' or ')}`, async () => {
      const answer = await apply('x', body, '&dryRun=All');
      assert.ok(
        (codes as readonly number[]).includes(answer.status),
        `${answer.status} ${answer.text.slice(0, 300)}`,
      );
      assert.ok(answer.status < 300 || answer.text.length < 64 * 1024, `${answer.text.length} bytes`);
    });
  }

  it('an apply conflict about very many fields is answered with a bounded list of them', async () => {
    const many = (value: string): object =>
      map('many', Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key-${i}`, value])));
    assert.equal((await apply('many', many('a'))).status, 201);
    const answer = await server.client.send('PATCH', `${maps}/many?fieldManager=other`, {
      body: many('b'),
      contentType: APPLY,
    });
    assert.equal(answer.status, 409);
    assert.ok(answer.text.length < 512 * 1024, `${answer.text.length} bytes`);
  });

  it('a JSON patch with a hundred thousand operations is refused before the first is executed', async () => {
    assert.equal((await apply('ops', map('ops', { a: '1' }))).status, 201);
    const body = JSON.stringify(Array.from({ length: 100_000 }, () => ({ op: 'remove', path: '/data' })));
    assert.ok(body.length < 3 * 1024 * 1024, 'the whole patch is read');
    const answer = await server.client.send('PATCH', `${maps}/ops`, {
      body,
      contentType: 'application/json-patch+json',
    });
    assert.equal(answer.status, 413, answer.text);
    assert.match(answer.text, /at most 10000 operations, this one has 100000/);
    const { data } = JSON.parse((await server.client.get(`${maps}/ops`)).text) as { data: unknown };
    assert.deepEqual(data, { a: '1' });
  });

  it('updates by a hundred field managers leave a bounded managedFields list', async () => {
    await server.client.post(maps, map('crowd', {}));
    for (let i = 0; i < 100; i++) {
      const answer = await server.client.send('PATCH', `${maps}/crowd?fieldManager=m${i}`, {
        body: JSON.stringify({ data: { [`k${i}`]: 'v' } }),
        contentType: MERGE,
      });
      assert.equal(answer.status, 200);
    }
    const { length } = owners(await server.client.get(`${maps}/crowd`));
    assert.ok(length <= 10, `${length} entries`);
  });
});
