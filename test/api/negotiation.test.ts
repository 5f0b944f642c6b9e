import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Naming } from '@orch/machinery';
import { parseYaml } from '@orch/machinery/yaml';
import { type ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';
import {
  type ApiList,
  cms,
  configMap,
  create,
  expectCode,
  item,
  list,
  ns,
  podObject,
  pods,
  refused,
  words,
} from './fixture.ts';
import { rawGet } from './raw-get.ts';

interface Table {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ApiList['metadata'];
  readonly columnDefinitions?: readonly {
    readonly name: string;
    readonly type: string;
    readonly format: string;
    readonly priority: number;
    readonly description: string;
  }[];
  readonly rows: readonly {
    readonly cells: readonly unknown[];
    readonly object: { readonly kind: string } | null;
  }[];
}

/** Media types in and out (spec 2.5, 4.7 and the negotiation rows of the facts), for both namings. */
for (const naming of ['orch', 'kubernetes'] satisfies Naming[]) {
  describe(`media types, ${naming} naming`, { timeout: 60_000 }, () => {
    const { meta, protobuf } = words[naming];
    const as = (kind: string, version = 'v1') => `application/json;as=${kind};g=${meta};v=${version}`;
    let server: LaunchedServer;
    let api: ApiClient;
    const get = (path: string, accept: string) => api.get(path, { headers: { accept } });
    const tableOf = async (path: string, accept = as('Table')): Promise<Table> =>
      expectCode(200, await get(path, accept)).json as Table;

    before(async () => {
      server = await launchServer({ naming });
      api = server.client;
      await create(api, cms, configMap('a', { k: '<v>' }, { labels: { app: 'x' } }));
      await create(api, cms, configMap('b'));
    });
    after(() => server[Symbol.asyncDispose]());

    describe('header field Accept', () => {
      const json = 'application/json';
      for (const [accept, object, collection, watch] of [
        ['', json, json, json],
        ['*/*', json, json, json],
        ['application/*', json, json, json],
        [`${json};stream=watch`, json, json, json],
        [`text/html, ${json};q=0.1`, json, json, json],
        ['application/yaml', 'application/yaml', 'application/yaml', 406],
        [as('Table'), json, json, json],
        [as('Table', 'v1beta1'), json, json, json],
        [`${as('Table', 'v2')}, ${json}`, json, json, json],
        [as('PartialObjectMetadata'), json, 406, json],
        [as('PartialObjectMetadataList'), 406, json, 406],
        [as('Sandwich'), 406, 406, 406],
        [`${protobuf};as=Table;g=${meta};v=v1`, 406, 406, 406],
        ['application/xml', 406, 406, 406],
        ['text/html', 406, 406, 406],
        ['nonsense', 406, 406, 406],
      ] as const) {
        it(`Accept ${accept === '' ? '(absent)' : accept} selects ${object} for an object, ${collection} for a list, ${watch} for a watch`, async () => {
          for (const [path, expected] of [
            [`${cms}/a`, object],
            [cms, collection],
            [`${cms}?watch=1&resourceVersion=0`, watch],
          ] as const) {
            const answer = await rawGet(server, path, { accept });
            assert.equal(answer.status, expected === 406 ? 406 : 200, path);
            // A refusal has a format of Status that the client accepts.
            const refusal = accept === 'application/yaml' ? accept : json;
            assert.equal(answer.headers['content-type'], expected === 406 ? refusal : expected);
          }
        });
      }

      it('a 406 response is a Status that lists the served media types', async () => {
        const { message } = refused(await get(cms, 'application/xml'), 406, 'NotAcceptable');
        assert.match(message, /application\/json/);
      });
    });

    describe('request and response bodies', () => {
      it('request bodies are accepted as JSON and YAML, also with media type parameters', async () => {
        const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made\ndata:\n  mode: "0644"\n';
        const sent = await api.post(cms, yaml, { contentType: 'application/yaml' });
        assert.deepEqual(item(expectCode(201, sent)).data, { mode: '0644' });
        const utf8 = await api.post(cms, JSON.stringify(configMap('u', { k: 'ü' })), {
          contentType: 'application/json; charset=utf-8',
        });
        assert.deepEqual(item(expectCode(201, utf8)).data, { k: 'ü' });
      });

      it('request bodies of other media types are answered with 415 and the supported ones', async () => {
        for (const contentType of [
          'text/plain',
          'application/xml',
          'multipart/form-data; boundary=x',
          'json',
        ]) {
          const { message } = refused(await api.post(cms, 'x', { contentType }), 415, 'UnsupportedMediaType');
          assert.match(message, /application\/json/);
        }
      });

      it('a request body in one format can be answered in another', async () => {
        const answer = await api.post(cms, configMap('other', { on: 'yes', n: '1' }), {
          headers: { accept: 'application/yaml' },
        });
        assert.equal(answer.headers['content-type'], 'application/yaml');
        assert.deepEqual((parseYaml(Buffer.from(answer.text)) as { data: unknown }).data, {
          on: 'yes',
          n: '1',
        });
        for (const name of ['made', 'u', 'other']) await api.delete(`${cms}/${name}`);
      });
    });

    describe('Table responses', () => {
      it('a Table has columns with all fields, one row per object, and the metadata of the list', async () => {
        const plain = list(await api.get(cms));
        const table = await tableOf(cms);
        assert.deepEqual([table.kind, table.apiVersion], ['Table', `${meta}/v1`]);
        assert.deepEqual(table.metadata, plain.metadata);
        assert.deepEqual(
          table.columnDefinitions?.map(({ name, type, format, priority }) => [name, type, format, priority]),
          [
            ['Name', 'string', 'name', 0],
            ['Data', 'string', '', 0],
            ['Age', 'string', '', 0],
          ],
        );
        for (const { description } of table.columnDefinitions ?? []) assert.notEqual(description, '');
        assert.deepEqual(
          table.rows.map(({ cells }) => cells.slice(0, 2)),
          [
            ['a', 1],
            ['b', 0],
          ],
        );
        for (const { cells, object } of table.rows) {
          assert.match(String(cells[2]), /^\d+s$/);
          assert.equal(object?.kind, 'PartialObjectMetadata');
        }
        const chunk = await tableOf(`${cms}?limit=1`);
        assert.equal(chunk.metadata.remainingItemCount, 1);
        assert.equal((await tableOf(`${cms}?continue=${chunk.metadata.continue}`)).rows.length, 1);
        assert.equal((await tableOf(cms, as('Table', 'v1beta1'))).apiVersion, `${meta}/v1beta1`);
      });

      it('rows of a Table contain the part of the object that includeObject selects', async () => {
        for (const [include, kind] of [
          ['None', undefined],
          ['Metadata', 'PartialObjectMetadata'],
          ['Object', 'ConfigMap'],
        ] as const)
          assert.equal((await tableOf(`${cms}/a?includeObject=${include}`)).rows[0]?.object?.kind, kind);
        refused(await get(`${cms}?includeObject=All`, as('Table')), 400, 'BadRequest');
      });

      it('a write returns a Table when it is requested', async () => {
        const made = await api.post(cms, configMap('t'), { headers: { accept: as('Table') } });
        assert.equal((made.json as Table).rows[0]?.cells[0], 't');
        await api.delete(`${cms}/t`);
      });

      it('a Table watch has column definitions in the first event only', async () => {
        const seen: { readonly type: string; readonly object: Table }[] = [];
        const body = await rawGet(server, `${cms}?watch=1&resourceVersion=0&timeoutSeconds=1`, {
          accept: as('Table'),
          whole: true,
        });
        for (const line of body.text.trim().split('\n')) seen.push(JSON.parse(line));
        assert.deepEqual(
          seen.map(({ type, object }) => [type, object.kind, object.rows.length]),
          [
            ['ADDED', 'Table', 1],
            ['ADDED', 'Table', 1],
          ],
        );
        assert.equal(seen[0]?.object.columnDefinitions?.length, 3);
        assert.equal(seen[1]?.object.columnDefinitions?.length ?? 0, 0);
      });

      it('the Table of pods has the columns of kubectl', async () => {
        await create(api, pods, podObject('p', {}, { nodeName: 'n1' }));
        const { columnDefinitions, rows } = await tableOf(pods);
        assert.deepEqual(
          columnDefinitions?.map(({ name }) => name),
          ['Name', 'Ready', 'Status', 'Restarts', 'Age', 'IP', 'Node', 'Nominated Node', 'Readiness Gates'],
        );
        assert.deepEqual(rows[0]?.cells.filter((_, i) => i !== 4).slice(0, 3), ['p', '0/1', 'Pending']);
        assert.deepEqual(rows[0]?.cells.slice(5), ['<none>', 'n1', '<none>', '<none>']);
      });

      it('the Table of a kind without columns has name and creation time', async () => {
        await create(api, `${ns}/limitranges`, { metadata: { name: 'lr' }, spec: { limits: [] } });
        const { columnDefinitions, rows } = await tableOf(`${ns}/limitranges`);
        assert.deepEqual(
          columnDefinitions?.map(({ name, type }) => [name, type]),
          [
            ['Name', 'string'],
            ['Created At', 'date'],
          ],
        );
        assert.match(String(rows[0]?.cells[1]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      });

      for (const resource of [
        'componentstatuses',
        'endpoints',
        'events',
        'namespaces',
        'nodes',
        'persistentvolumeclaims',
        'persistentvolumes',
        'podtemplates',
        'replicationcontrollers',
        'resourcequotas',
        'secrets',
        'serviceaccounts',
        'services',
      ]) {
        it(`a Table exists for ${resource}`, async () => {
          const { columnDefinitions = [], rows } = await tableOf(`/api/v1/${resource}`);
          assert.ok(columnDefinitions.some(({ name, format }) => name === 'Name' && format === 'name'));
          for (const { cells } of rows) assert.equal(cells.length, columnDefinitions.length);
        });
      }
    });

    describe('PartialObjectMetadata responses', () => {
      it('PartialObjectMetadata is the metadata only, for an object, a list and a watch', async () => {
        const whole = item(await api.get(`${cms}/a`));
        const expected = {
          kind: 'PartialObjectMetadata',
          apiVersion: `${meta}/v1`,
          metadata: whole.metadata,
        };
        assert.deepEqual((await get(`${cms}/a`, as('PartialObjectMetadata'))).json, expected);
        const many = list(await get(cms, as('PartialObjectMetadataList')));
        assert.deepEqual([many.kind, many.apiVersion], ['PartialObjectMetadataList', `${meta}/v1`]);
        assert.deepEqual(many.items[0], expected);
        const stream = await rawGet(server, `${cms}?watch=1&resourceVersion=0&timeoutSeconds=1`, {
          accept: as('PartialObjectMetadata'),
          whole: true,
        });
        assert.deepEqual(JSON.parse(stream.text.split('\n')[0] ?? ''), { type: 'ADDED', object: expected });
      });
    });

    describe('text of responses', () => {
      it('responses are indented with pretty or for browsers and curl, with the same data', async () => {
        const plain = await api.get(`${cms}/a`);
        assert.equal(plain.text.trim().split('\n').length, 1);
        for (const answer of [
          await api.get(`${cms}/a?pretty=true`),
          await api.get(`${cms}/a?pretty=1`),
          await api.get(`${cms}/a`, { headers: { 'user-agent': 'curl/8.0' } }),
        ]) {
          assert.equal(
            answer.text,
            `${JSON.stringify(plain.json, null, 2).replace('<', '\\u003c').replace('>', '\\u003e')}\n`,
          );
        }
        const off = await api.get(`${cms}/a?pretty=false`, { headers: { 'user-agent': 'curl/8.0' } });
        assert.equal(off.text, plain.text);
        assert.match((await api.get(`${cms}?pretty=true`)).text, /^\{\n {2}"kind": "ConfigMapList",\n/);
        assert.match((await api.get(`${cms}/none?pretty=true`)).text, /^\{\n {2}"kind": "Status",\n/);
      });

      it('responses escape markup and forbid sniffing and caching', async () => {
        const answer = await api.get(`${cms}/a`);
        assert.match(answer.text, /"\\u003cv\\u003e"/);
        assert.equal(answer.headers['x-content-type-options'], 'nosniff');
        assert.equal(answer.headers['cache-control'], 'no-cache, private');
      });

      it('large responses are compressed with gzip for clients that accept it', async () => {
        const text = 'x'.repeat(1000);
        for (let i = 0; i < 200; i += 1)
          await create(api, `${ns}/secrets`, { metadata: { name: `s${i}` }, stringData: { text } });
        const path = `${ns}/secrets`;
        const plain = await rawGet(server, path, { whole: true });
        assert.equal(plain.headers['content-encoding'], undefined);
        const packed = await rawGet(server, path, { encoding: 'gzip', whole: true });
        assert.equal(packed.headers['content-encoding'], 'gzip');
        assert.equal(gunzipSync(packed.bytes).toString(), plain.text);
        assert.ok(packed.bytes.length * 4 < plain.bytes.length);
        for (const encoding of ['identity', 'br', 'gzip;q=0'])
          assert.equal(
            (await rawGet(server, path, { encoding })).headers['content-encoding'],
            undefined,
            encoding,
          );
        const small = await rawGet(server, `${cms}/a`, { encoding: 'gzip' });
        assert.equal(small.headers['content-encoding'], undefined, 'small ones are not worth it');
      });
    });
  });
}
