import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parseYaml } from '@orch/machinery/yaml';
import { accepting, namesIn, ok, refused, type Tested } from './tested.ts';
import type { Json } from './tested-kinds.ts';

/** An object, or the items of a list: its version increases with every write of the server. */
const contentOf = (value: Json): Json => value.items ?? value;

/** Lists and reads, in every format and of every version of the state. */
export function describeReads(tested: Tested): void {
  describe('reads of objects', () => {
    const set = 'labelSelector=set%3Dreads';
    const listed = async (query = ''): Promise<Json> =>
      ok(await tested.api.get(`${tested.collection}?${set}${query}`));
    let made: readonly Json[] = [];
    before(async () => {
      const all: Json[] = [];
      for (const name of ['r1', 'r2', 'r3', 'r4', 'r5'])
        all.push(
          await tested.create(name, {
            labels: { set: 'reads', parity: Number(name[1]) % 2 === 0 ? 'even' : 'odd' },
          }),
        );
      made = all;
    });

    describeChunks(tested, listed);
    describeVersions(tested, () => made);
    describeFormats(tested);

    it('a list has the kind and version of its items, which are as they are read alone', async () => {
      const list = await listed();
      assert.deepEqual([list.kind, list.apiVersion], [`${tested.kind.kind}List`, tested.apiVersion]);
      assert.deepEqual(
        list.items.map((item: Json) => ({ ...item, kind: tested.kind.kind, apiVersion: tested.apiVersion })),
        await Promise.all(namesIn(list).map((name) => tested.read(name))),
      );
      const everywhere = ok(await tested.api.get(`${tested.all}?${set}`));
      assert.deepEqual(everywhere.items, list.items);
    });

    it('label and field selectors select objects, and unknown fields are refused', async () => {
      const select = async (query: string): Promise<string> => namesIn(await listed(query)).join();
      assert.equal(await select(',parity%3Deven'), 'r2,r4');
      assert.equal(await select(',parity+notin+(even)'), 'r1,r3,r5');
      assert.equal(await select('&fieldSelector=metadata.name%3Dr3'), 'r3');
      assert.equal(await select('&fieldSelector=metadata.name!%3Dr3,metadata.name!%3Dr1'), 'r2,r4,r5');
      if (tested.kind.namespaced) assert.equal(await select('&fieldSelector=metadata.namespace%3Dother'), '');
      refused(await tested.api.get(`${tested.collection}?fieldSelector=spec.text%3Da`), 400, 'BadRequest');
    });

    it('a list that is compressed has the same content', async () => {
      await tested.create('large', { labels: { set: 'large' }, annotations: { text: 'x'.repeat(150_000) } });
      const path = `${tested.collection}?labelSelector=set%3Dlarge`;
      const { bytes, headers } = await tested.bytes(path, { encoding: 'gzip' });
      assert.equal(headers['content-encoding'], 'gzip');
      const list = JSON.parse(gunzipSync(bytes).toString());
      assert.deepEqual(list.items, ok(await tested.api.get(path)).items);
    });
  });
}

function describeChunks(tested: Tested, listed: (query: string) => Promise<Json>): void {
  it('a list in chunks shows the state of its first page, whatever is written meanwhile', async () => {
    const first = await listed('&limit=2');
    assert.deepEqual([namesIn(first), first.metadata.remainingItemCount], [['r1', 'r2'], undefined]);
    ok(await tested.patch(tested.path('r3'), { metadata: { annotations: { later: 'yes' } } }));
    const next = (page: Json): Promise<Json> => listed(`&limit=2&continue=${page.metadata.continue}`);
    const second = await next(first);
    assert.deepEqual([namesIn(second), second.items[0].metadata.annotations], [['r3', 'r4'], undefined]);
    const third = await next(second);
    assert.deepEqual([namesIn(third), third.metadata.continue ?? ''], [['r5'], '']);
    for (const page of [second, third])
      assert.equal(page.metadata.resourceVersion, first.metadata.resourceVersion);
    const whole = ok(await tested.api.get(`${tested.collection}?limit=1`));
    assert.ok(whole.metadata.remainingItemCount >= 4);
  });

  it('continue tokens that are malformed, or combined with a version, are refused', async () => {
    const { metadata } = await listed('&limit=2');
    refused(await tested.api.get(`${tested.collection}?continue=nonsense`), 400, 'BadRequest');
    const combined = `${tested.collection}?labelSelector=set%3Dreads&limit=2&continue=${metadata.continue}&resourceVersion=5`;
    refused(await tested.api.get(combined), 400, 'BadRequest');
  });
}

function describeVersions(tested: Tested, made: () => readonly Json[]): void {
  const at = (match: string, version: string): string =>
    `${tested.collection}?labelSelector=set%3Dreads${match === '' ? '' : `&resourceVersionMatch=${match}`}&resourceVersion=${version}`;

  it('a list at an exact version shows the state of that version, one not older than it a later state', async () => {
    const third = made()[2].metadata.resourceVersion;
    assert.deepEqual(namesIn(ok(await tested.api.get(at('Exact', third)))), ['r1', 'r2', 'r3']);
    for (const path of [at('NotOlderThan', third), at('', third), at('', '0'), at('NotOlderThan', '0')])
      assert.deepEqual(namesIn(ok(await tested.api.get(path))), ['r1', 'r2', 'r3', 'r4', 'r5'], path);
    const single = ok(await tested.api.get(`${tested.path('r1')}?resourceVersion=${third}`));
    assert.equal(single.metadata.name, 'r1');
  });

  it('a version ahead of the server is answered with 504 and the reason', async () => {
    const ahead = Number(await tested.revision()) + 1_000_000;
    const answers = await Promise.all(
      [tested.path('r1'), tested.collection].map((path) =>
        tested.api.get(`${path}?resourceVersion=${ahead}`),
      ),
    );
    for (const answer of answers) {
      const { details } = refused(answer, 504, 'Timeout');
      assert.equal(details.causes[0].reason, 'ResourceVersionTooLarge');
      assert.ok(answer.headers['retry-after'] !== undefined);
    }
  });

  it('contradictory versions are refused', async () => {
    for (const [query, code, reason] of [
      ['resourceVersionMatch=Exact', 422, 'Invalid'],
      ['resourceVersionMatch=Exact&resourceVersion=0', 422, 'Invalid'],
      ['resourceVersionMatch=Other&resourceVersion=1', 422, 'Invalid'],
      ['resourceVersion=new', 400, 'BadRequest'],
    ] as const)
      refused(await tested.api.get(`${tested.collection}?${query}`), code, reason);
  });
}

function describeFormats(tested: Tested): void {
  const { isCustom, kind } = tested.kind;
  const { protobuf } = tested.names.mediaTypes;

  it('Protobuf is refused with 406 for custom objects, except where JSON is accepted too', async () => {
    if (!isCustom) return;
    for (const path of [
      tested.path('r1'),
      tested.collection,
      `${tested.collection}?watch=true&resourceVersion=0`,
    ]) {
      // A client that accepts nothing else gets the Status as Protobuf.
      const answer = await tested.api.get(path, accepting(protobuf));
      ok(answer, 406);
      // A client that accepts nothing else receives the Status as Protobuf.
      assert.equal(answer.headers['content-type'], protobuf);
      assert.ok(answer.text.includes('NotAcceptable') && !answer.text.includes(protobuf), answer.text);
    }
    for (const path of [tested.path('r1'), tested.collection]) {
      const answer = await tested.api.get(path, accepting(`${protobuf},application/json`));
      assert.equal(answer.headers['content-type'], 'application/json');
      assert.deepEqual(contentOf(ok(answer)), contentOf(ok(await tested.api.get(path))));
    }
    const body = tested.object('r6');
    ok(await tested.api.post(tested.collection, body, accepting(protobuf)), 406);
    ok(await tested.api.delete(tested.path('r1'), accepting(protobuf)), 406);
    refused(await tested.api.get(tested.path('r6')), 404, 'NotFound');
  });

  it('bare metadata is served in JSON and Protobuf, of one object and of lists', async () => {
    const { metadata } = await tested.read('r1');
    const one = ok(await tested.api.get(tested.path('r1'), accepting(tested.as('PartialObjectMetadata'))));
    const meta = `${tested.names.group('meta')}/v1`;
    assert.deepEqual(one, { kind: 'PartialObjectMetadata', apiVersion: meta, metadata });
    const path = `${tested.collection}?labelSelector=set%3Dreads`;
    const list = ok(await tested.api.get(path, accepting(tested.as('PartialObjectMetadataList'))));
    assert.deepEqual(
      [list.kind, list.apiVersion, list.items[0].metadata],
      ['PartialObjectMetadataList', meta, metadata],
    );
    assert.deepEqual(Object.keys(list.items[0]).sort(), ['apiVersion', 'kind', 'metadata']);
    for (const [at, as] of [
      [tested.path('r1'), 'PartialObjectMetadata'],
      [path, 'PartialObjectMetadataList'],
    ] as const) {
      const { bytes, headers, status } = await tested.bytes(at, { accept: tested.as(as, protobuf) });
      assert.deepEqual([status, headers['content-type']], [200, protobuf]);
      assert.ok(bytes.includes(metadata.uid));
    }
  });

  it('a table has a column per field, and a row per object with the metadata that the client requests', async () => {
    const path = `${tested.collection}?labelSelector=set%3Dreads`;
    const table = ok(await tested.api.get(path, accepting(tested.as('Table'))));
    const columns = table.columnDefinitions.map(({ name }: Json) => name);
    assert.deepEqual([table.kind, columns[0]], ['Table', 'Name']);
    if (isCustom) assert.deepEqual(columns, ['Name', 'Age']);
    assert.deepEqual(
      table.rows.map(({ cells }: Json) => cells[0]),
      ['r1', 'r2', 'r3', 'r4', 'r5'],
    );
    assert.equal(table.rows[0].object.kind, 'PartialObjectMetadata');
    const whole = ok(await tested.api.get(`${path}&includeObject=Object`, accepting(tested.as('Table'))));
    assert.deepEqual([whole.rows[0].object.kind, whole.rows[0].object.apiVersion], [kind, tested.apiVersion]);
    const none = ok(await tested.api.get(`${path}&includeObject=None`, accepting(tested.as('Table'))));
    assert.equal(none.rows[0].object, null);
    const one = ok(await tested.api.get(tested.path('r1'), accepting(tested.as('Table'))));
    assert.deepEqual([one.columnDefinitions, one.rows.length], [table.columnDefinitions, 1]);
    const page = ok(await tested.api.get(`${path}&limit=2`, accepting(tested.as('Table'))));
    assert.deepEqual([page.rows.length, page.metadata.continue !== undefined], [2, true]);
  });

  it('YAML has the content of JSON', async () => {
    for (const path of [tested.path('r1'), `${tested.collection}?labelSelector=set%3Dreads`]) {
      const { text, headers } = await tested.api.get(path, accepting('application/yaml'));
      assert.equal(headers['content-type'], 'application/yaml');
      assert.deepEqual(contentOf(parseYaml(Buffer.from(text))), contentOf(ok(await tested.api.get(path))));
    }
  });
}
