import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@orch/machinery/testing';
import { parseYaml } from '@orch/machinery/yaml';
import { requestOf } from '../testing/answers.ts';
import { configMap, pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;
const table = (version = 'v1') => ({ accept: `application/json;as=Table;g=meta.orch.io;v=${version}` });
const partial = (list = '', version = 'v1') => ({
  accept: `application/json;as=PartialObjectMetadata${list};g=meta.orch.io;v=${version}`,
});

describe('tables (spec 2.5)', () => {
  it('table rows have cells, metadata and a current age', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${ns}/pods`, pod('a', {}, { annotations: { x: '<y>' } }));
    await api.post(`${ns}/pods`, pod('b'));
    const ages = async (): Promise<string[]> => {
      const { json } = await api.get(`${ns}/pods`, table());
      const at = json.columnDefinitions.findIndex(({ name }: { name: string }) => name === 'Age');
      return json.rows.map(({ cells }: { cells: string[] }) => cells[at]);
    };
    assert.deepEqual(await ages(), ['0s', '0s']);
    await api.env.clock.advanceAsync(90_000);
    assert.deepEqual(await ages(), ['90s', '90s']);
    await api.env.clock.advanceAsync(3_600_000 * 5);
    assert.deepEqual(await ages(), ['5h1m', '5h1m']);

    const { json, headers } = await api.get(`${ns}/pods`, table());
    assert.equal(headers['Content-Type'], 'application/json');
    assert.deepEqual([json.kind, json.apiVersion], ['Table', 'meta.orch.io/v1']);
    assert.deepEqual(json.columnDefinitions[0].name, 'Name');
    const { cells, object } = json.rows[0];
    assert.equal(cells[0], 'a');
    assert.deepEqual([object.kind, object.apiVersion], ['PartialObjectMetadata', 'meta.orch.io/v1']);
    assert.deepEqual(object.metadata, (await api.get(`${ns}/pods/a`)).json.metadata);
    assert.equal(Object.keys(object).join(), 'kind,apiVersion,metadata');
  });

  it('a table has the list metadata of its list', async () => {
    await using api = await RegistryFixture.open();
    for (const name of ['a', 'b', 'c']) await api.post(cms, configMap(name));
    const { json } = await api.get(`${cms}?limit=2`, table());
    assert.equal(json.rows.length, 2);
    assert.equal(json.metadata.remainingItemCount, 1);
    const rest = await api.get(`${cms}?limit=2&continue=${json.metadata.continue}`, table());
    assert.deepEqual(
      [rest.json.rows.length, rest.json.metadata.resourceVersion],
      [1, json.metadata.resourceVersion],
    );
  });

  it('table rows contain the object as includeObject requires', async () => {
    await using api = await RegistryFixture.open();
    const created = (await api.post(cms, configMap('a', { k: 'v' }))).json;
    const row = async (query: string, version = 'v1') =>
      (await api.get(`${cms}?${query}`, table(version))).json.rows[0].object;
    assert.equal(await row('includeObject=None'), null);
    assert.deepEqual(await row('includeObject=Object'), created);
    assert.deepEqual((await row('includeObject=Metadata', 'v1beta1')).apiVersion, 'meta.orch.io/v1beta1');
    assert.equal((await api.get(`${cms}?includeObject=All`, table())).status, 400);
  });

  it('tables are served for one object, for writes and for an empty list', async () => {
    await using api = await RegistryFixture.open();
    const empty = await api.get(cms, table());
    assert.deepEqual([empty.json.rows, empty.json.columnDefinitions.length > 0], [[], true]);
    const created = await api.post(cms, configMap('a'), table());
    assert.deepEqual([created.status, created.json.kind, created.json.rows.length], [201, 'Table', 1]);
    const one = await api.get(`${cms}/a`, table());
    assert.deepEqual(one.json.rows[0].object.metadata.name, 'a');
    assert.equal(one.json.metadata.resourceVersion, one.json.rows[0].object.metadata.resourceVersion);
  });

  it('only the first table of a watch has columns', async () => {
    await using api = await RegistryFixture.open();
    for (const name of ['a', 'b']) await api.post(cms, configMap(name));
    const watching = await api.watch(`${cms}?watch=1&allowWatchBookmarks=1`, table());
    await watching.until(2);
    for (let turn = 0; turn < 5; turn++) await settle();
    watching.drain();
    await watching.ended;
    assert.deepEqual(
      watching.events.map(({ type }) => type),
      ['ADDED', 'ADDED', 'BOOKMARK'],
    );
    assert.deepEqual(
      watching.events.map(({ object }) => [
        object.kind,
        object.columnDefinitions?.length > 0,
        object.rows.length,
      ]),
      [
        ['Table', true, 1],
        ['Table', false, 1],
        ['Table', false, 0],
      ],
    );
    assert.equal(watching.events[1].object.rows[0].cells[0], 'b');
  });

  it('the table of a kind without columns has the name and the creation time', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${ns}/limitranges`, { metadata: { name: 'l' }, spec: { limits: [] } });
    const { json } = await api.get(`${ns}/limitranges`, table());
    assert.deepEqual(
      json.columnDefinitions.map((c: { name: string; type: string; format: string }) => [
        c.name,
        c.type,
        c.format,
      ]),
      [
        ['Name', 'string', 'name'],
        ['Created At', 'date', ''],
      ],
    );
    assert.deepEqual(json.rows[0].cells, ['l', '2024-01-01T00:00:00Z']);
  });

  it('a table of ten thousand rows is written in slices', async () => {
    await using api = await RegistryFixture.open();
    const big = 'x'.repeat(60_000);
    for (let i = 0; i < 10; i++) await api.post(cms, configMap(`a${i}`, {}, { annotations: { big } }));
    const { json } = await api.get(cms, table());
    assert.deepEqual(
      json.rows.map((row: { cells: string[] }) => row.cells[0]),
      Array.from({ length: 10 }, (_, i) => `a${i}`),
    );
  });
});

describe('long lists', () => {
  for (const [what, accept] of [
    ['a table', table().accept],
    ['YAML', 'application/yaml'],
  ] as const)
    it(`a long list has pauses for other requests, until its encodings are cached: ${what}`, async () => {
      await using api = await RegistryFixture.open();
      const big = 'x'.repeat(40_000);
      for (let i = 0; i < 6; i++) await api.post(cms, configMap(`a${i}`, {}, { annotations: { big } }));
      const pauses = async (): Promise<number> => {
        const reply = await api.raw(requestOf('GET', cms, { accept }));
        assert.equal(reply.kind, 'chunks');
        let count = 0;
        for await (const slice of reply.chunks) if (slice.length === 0) count += 1;
        return count;
      };
      const found = await pauses();
      assert.ok(found >= 2, `${found} pauses`);
      if (what === 'a table') assert.equal(await pauses(), 0);
    });
});

describe('partial objects', () => {
  it('partial objects contain only metadata', async () => {
    await using api = await RegistryFixture.open();
    const created = (
      await api.post(cms, configMap('a', { k: '{"metadata":{' }, { annotations: { 'a/b': '}"\\' } }))
    ).json;
    const one = await api.get(`${cms}/a`, partial());
    assert.deepEqual(one.json, {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.orch.io/v1',
      metadata: created.metadata,
    });
    const list = await api.get(cms, partial('List', 'v1beta1'));
    assert.deepEqual(
      [list.json.kind, list.json.apiVersion],
      ['PartialObjectMetadataList', 'meta.orch.io/v1beta1'],
    );
    assert.deepEqual(list.json.items, [{ ...one.json, apiVersion: 'meta.orch.io/v1beta1' }]);
    assert.equal((await api.get(cms, partial())).status, 406);
    assert.equal((await api.get(`${cms}/a`, partial('List'))).status, 406);
    const watching = await api.watch(`${cms}?watch=1`, partial());
    await watching.until(1);
    assert.deepEqual(watching.events[0], { type: 'ADDED', object: one.json });
    watching.stop();
    assert.deepEqual((await api.get('/api/v1/namespaces/none/configmaps', partial('List'))).json.items, []);
  });
});

describe('encodings of responses', () => {
  it('a YAML response has the data of the JSON response', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a', { yes: 'no', n: '0644', text: 'two\nlines\n' }));
    await api.post(cms, configMap('b'));
    for (const target of [`${cms}/a`, cms, `${ns}/secrets`]) {
      const yaml = await api.get(target, { accept: 'application/yaml' });
      assert.equal(yaml.headers['Content-Type'], 'application/yaml');
      assert.deepEqual(parseYaml(Buffer.from(yaml.text)), (await api.get(target)).json, yaml.text);
    }
  });

  it('a response is indented on request and for browsers', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a', { k: 'v' }));
    const plain = await api.get(`${cms}/a`);
    const indented = `${JSON.stringify(plain.json, undefined, 2)}\n`;
    assert.equal((await api.get(`${cms}/a?pretty=true`)).text, indented);
    assert.equal((await api.get(`${cms}/a`, { headers: { 'user-agent': 'curl/8.0' } })).text, indented);
    assert.equal(
      (await api.get(`${cms}/a?pretty=false`, { headers: { 'user-agent': 'curl/8.0' } })).text,
      plain.text,
    );
    const list = await api.get(`${cms}?pretty=1`);
    assert.equal(list.text, `${JSON.stringify(list.json, undefined, 2)}\n`);
    assert.match((await api.get(`${cms}?pretty=1`, table())).text, /\n {2}"rows": \[\n/);
  });

  it('JSON responses escape markup characters', async () => {
    await using api = await RegistryFixture.open();
    const { text } = await api.post(cms, configMap('a', { k: '<b>&\u2028' }));
    assert.match(text, /\\u003cb\\u003e\\u0026\\u2028/);
    assert.equal((await api.get(`${cms}/a`)).text, text);
  });

  it('an empty list has an empty items array', async () => {
    await using api = await RegistryFixture.open();
    const { text, json } = await api.get(`${ns}/secrets`);
    assert.deepEqual([json.kind, json.items], ['SecretList', []]);
    assert.ok(text.endsWith(']}\n'));
  });
});
