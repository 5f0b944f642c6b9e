import assert from 'node:assert/strict';
import type { ApiObject } from '@orch/machinery';
import { parseYaml } from '@orch/machinery/yaml';
import type { Answered } from '@orch/registry/testing';
import {
  asItem,
  asPartial,
  asTable,
  expectStatus,
  nameOf,
  objectOf,
  pathIn,
  read,
  type TestedObject,
  withoutRevision,
  yaml,
} from './context.ts';

/** The path answers in YAML with what it answers in JSON. */
async function assertSameYaml({ api }: TestedObject, path: string, json: unknown): Promise<void> {
  const text = expectStatus(200, await api.get(path, { accept: yaml }), `${path} as YAML`);
  assert.equal(text.headers['Content-Type'], yaml);
  assert.deepEqual(parseYaml(text.bytes), json, `${path}: YAML differs from JSON`);
}

/** JSON, YAML and Protobuf have the same content; a table and bare metadata belong to the same object. */
export async function readInEveryFormat(tested: TestedObject): Promise<void> {
  const { api, path, protobuf } = tested;
  const { mediaTypes } = api.names;
  const object = await read(tested);
  assert.deepEqual([object.apiVersion, object.kind], [tested.served.apiVersion, tested.served.kind]);
  await assertSameYaml(tested, path, object);

  const binary = expectStatus(200, await api.get(path, { accept: mediaTypes.protobuf }), 'GET as Protobuf');
  assert.equal(binary.headers['Content-Type'], mediaTypes.protobuf);
  assert.deepEqual(protobuf.read(binary.bytes), object, 'Protobuf differs from JSON');

  const partial = expectStatus(200, await api.get(path, { accept: asPartial(tested) }), 'GET metadata');
  assert.deepEqual(objectOf(partial).metadata, object.metadata);
  assert.equal(objectOf(partial).kind, 'PartialObjectMetadata');
  const binaryPartial = await api.get(path, { accept: asPartial(tested, '', mediaTypes.protobuf) });
  expectStatus(200, binaryPartial, 'GET metadata as Protobuf');
  assert.deepEqual(protobuf.read(binaryPartial.bytes), objectOf(partial));

  const table = expectStatus(200, await api.get(path, { accept: asTable(tested) }), 'GET as a table');
  assertTable(table, [nameOf(tested)]);
}

interface TableBody {
  readonly kind: string;
  readonly columnDefinitions: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: ApiObject }[];
}

/** Text columns hold numbers and booleans too, some booleans are spelled out: clients print what there is. */
const cellTypes: Readonly<Record<string, readonly string[]>> = {
  string: ['string', 'number', 'boolean'],
  integer: ['number'],
  number: ['number'],
  boolean: ['boolean', 'string'],
  date: ['string'],
};

/** A table of these objects, in this order, whose cells fit its columns. */
export function assertTable(answered: Answered, names: readonly string[]): void {
  const { kind, columnDefinitions, rows } = answered.json as TableBody;
  assert.equal(kind, 'Table');
  assert.ok(columnDefinitions.length > 1, 'a table has more columns than the name');
  assert.deepEqual(
    rows.map(({ object }) => object.metadata.name),
    names,
  );
  for (const { cells } of rows) {
    assert.equal(cells.length, columnDefinitions.length, answered.text);
    for (const [i, { name, type }] of columnDefinitions.entries()) {
      const cell = cells[i];
      const fits = cell === null || (cellTypes[type] ?? []).includes(typeof cell);
      assert.ok(fits, `column ${name} of type ${type} holds ${JSON.stringify(cell)}`);
    }
  }
}

/**
 * Every other version serves the object at the same revision, and writing back what was read there changes nothing: every
 * version represents the whole object.
 */
export async function readInEveryVersion(tested: TestedObject): Promise<void> {
  const { api, protobuf } = tested;
  const object = await read(tested);
  for (const sibling of tested.siblings) {
    const path = pathIn(tested, sibling);
    const got = objectOf(expectStatus(200, await api.get(path), `GET ${path}`));
    assert.deepEqual([got.apiVersion, got.kind], [sibling.apiVersion, sibling.kind]);
    const { labels, uid, resourceVersion } = object.metadata;
    assert.deepEqual(
      [got.metadata.labels, got.metadata.uid, got.metadata.resourceVersion],
      [labels, uid, resourceVersion],
    );
    assert.deepEqual(protobuf.unknownFields(got), [], `${path}: what the release does not have`);
    const binary = await api.get(path, { accept: api.names.mediaTypes.protobuf });
    assert.deepEqual(protobuf.read(binary.bytes), got, `${path}: Protobuf differs from JSON`);
    expectStatus(200, await api.get(path, { accept: asTable(tested) }), `${path} as a table`);

    expectStatus(200, await api.put(path, got), `PUT of what ${path} shows`);
    const after = await read(tested);
    assert.deepEqual(withoutRevision(after), withoutRevision(object), `writing back ${path} changed it`);
  }
}

interface ListBody {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly items: readonly ApiObject[];
}

/** The list shows the object as it is read alone, in every format. */
export async function listInEveryFormat(tested: TestedObject): Promise<void> {
  const { api, collection, protobuf, served } = tested;
  const { mediaTypes } = api.names;
  const object = await read(tested);
  const query = `${collection}?fieldSelector=metadata.name%3D${encodeURIComponent(nameOf(tested))}`;
  const list = expectStatus(200, await api.get(query), 'LIST').json as ListBody;
  assert.deepEqual([list.kind, list.apiVersion], [`${served.kind}List`, served.apiVersion]);
  assert.deepEqual(
    list.items.map((item) => asItem(item)),
    [asItem(object)],
  );

  await assertSameYaml(tested, query, list);
  const binary = expectStatus(200, await api.get(query, { accept: mediaTypes.protobuf }), 'LIST as Protobuf');
  const { items, ...about } = protobuf.readList(binary.bytes, served);
  assert.deepEqual([about.kind, about.apiVersion], [list.kind, list.apiVersion]);
  assert.equal(about.metadata['resourceVersion'], list.metadata['resourceVersion']);
  assert.deepEqual(items.map(asItem), [asItem(object)], 'the list in Protobuf differs from JSON');

  assertTable(expectStatus(200, await api.get(query, { accept: asTable(tested) }), 'LIST as a table'), [
    nameOf(tested),
  ]);
  const partial = await api.get(query, { accept: asPartial(tested, 'List') });
  const metadata = (expectStatus(200, partial, 'LIST of metadata').json as ListBody).items;
  assert.deepEqual(
    metadata.map((item) => item.metadata),
    [object.metadata],
  );
  if (served.namespaced) await listOfAllNamespaces(tested, object);
}

async function listOfAllNamespaces({ api, served }: TestedObject, object: ApiObject): Promise<void> {
  const root = served.group === '' ? `/api/${served.version}` : `/apis/${served.apiVersion}`;
  const all = (await api.get(`${root}/${served.resource}`)).json as ListBody;
  assert.ok(
    all.items.some(({ metadata }) => metadata.uid === object.metadata.uid),
    'it is in the list of all namespaces',
  );
}
