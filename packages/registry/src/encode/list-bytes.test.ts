import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NEWEST_RELEASE, type ServedType } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { encodeJson, type JsonObject, parseJson } from '@orch/machinery/json';
import { testEnv } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import { ProtoReader, ProtoWriter } from '@orch/storage/grpc';
import { cacheNameOf, keyPrefixOf, objectKey } from '../resource/store-keys.ts';
import { requestOf } from '../testing/answers.ts';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';
import { storedRows } from '../testing/stored-rows.ts';
import { readStoredValues } from '../testing/stored-values.ts';

const names = namesFor('orch');
const never = new AbortController().signal;
const protobuf = names.mediaTypes.protobuf;
const objectNames = ['a', 'b', 'c'];

const values = new Map(readStoredValues().values.map(({ title, json }) => [title, json]));

/** The kinds of the newest release with an object as it stores it. */
const stored = [...storedRows()].flatMap(([title, { row, release }]) => {
  const json = values.get(title);
  return release === NEWEST_RELEASE && json !== undefined ? [{ row, json }] : [];
});

/** A store with three objects of every kind. */
async function filledStore(): Promise<ModelStore> {
  const store = new ModelStore({ clock: testEnv({ seed: 1 }).clock });
  for (const { row, json } of stored)
    for (const name of objectNames) {
      const object = parseJson(Buffer.from(json)) as JsonObject;
      const metadata = {
        name,
        ...(row.namespaced ? { namespace: 'default' } : {}),
        uid: `${row.resource}-${name}`,
        labels: { '<name>': name },
      };
      await store.commit(
        {
          op: 'create',
          key: `${keyPrefixOf(row)}${objectKey(row.namespaced, 'default', name)}`,
          value: encodeJson({ ...object, metadata }),
        },
        never,
      );
    }
  return store;
}

/** The paths of the objects of a kind, one for each version. */
const pathsOf = (row: ServedType): readonly string[] =>
  row.versions.map(({ group = row.group, version }) => {
    const prefix = group === '' ? `/api/${version}` : `/apis/${names.apiVersion(group, version)}`;
    return `${prefix}${row.namespaced ? '/namespaces/default' : ''}/${row.resource}`;
  });

/** The message in an envelope: magic number, kind, and the encoded object as field 2. */
function messageIn(bytes: Buffer): Buffer {
  assert.equal(bytes.toString('latin1', 0, 4), 'k8s\0');
  const reader = new ProtoReader(bytes.subarray(4));
  while (reader.more()) {
    if (reader.tag() === 0x12) return reader.bytes();
    reader.skip();
  }
  throw new Error('an envelope without an object');
}

/** A list as one message: its metadata, which is taken from the answer, and the items. */
function wholeList(list: Buffer, items: readonly Buffer[]): Buffer {
  const reader = new ProtoReader(list);
  assert.equal(reader.tag(), 0x0a);
  const metadata = reader.bytes();
  const writer = new ProtoWriter();
  writer.reset();
  for (const item of items.toReversed()) writer.bytes(2, item);
  writer.bytes(1, metadata);
  return Buffer.from(writer.finish());
}

describe('lists that are sent in slices', () => {
  it('the lists of every kind have the bytes of lists that are encoded as a whole, in JSON and Protobuf', async () => {
    await using api = await RegistryFixture.open({
      ...{ release: NEWEST_RELEASE, isEnabled: () => true, store: await filledStore() },
    });
    const seen = new Set<string>();
    for (const { row } of stored)
      for (const path of pathsOf(row)) {
        const list = await api.get(path);
        if (list.status === 404) continue;
        assert.equal(list.status, 200, list.text);
        const found = (list.json.items as { metadata: { name: string } }[]).map(
          ({ metadata }) => metadata.name,
        );
        assert.ok(
          objectNames.every((name) => found.includes(name)),
          `${path}: ${found.join()}`,
        );
        const singles = await Promise.all(found.map((name) => api.get(`${path}/${name}`)));
        const { kind, apiVersion, metadata } = list.json;
        const head = JSON.stringify({ kind, apiVersion, metadata }).slice(0, -1);
        const items = singles.map(({ text }) => text.trimEnd()).join(',');
        assert.equal(list.text, `${head},"items":[${items}]}\n`, path);

        const inProtobuf = await api.get(path, { accept: protobuf });
        assert.equal(inProtobuf.headers['Content-Type'], protobuf, path);
        const messages = await Promise.all(
          found.map(async (name) =>
            messageIn((await api.get(`${path}/${name}`, { accept: protobuf })).bytes),
          ),
        );
        const message = messageIn(inProtobuf.bytes);
        assert.deepEqual(message, wholeList(message, messages), path);
        seen.add(cacheNameOf(row));
      }
    assert.deepEqual([...seen].toSorted(), stored.map(({ row }) => cacheNameOf(row)).toSorted());
  });

  for (const [title, accept] of [
    ['JSON', 'application/json'],
    ['Protobuf', protobuf],
  ] as const)
    it(`a list in ${title} that has been read before takes no memory for its bytes`, async () => {
      await using api = await RegistryFixture.open();
      const path = '/api/v1/namespaces/default/configmaps';
      for (let i = 0; i < 20; i++) await api.post(path, configMap(`c${i}`, { big: 'x'.repeat(500_000) }));
      await api.get(path, { accept });
      const reply = await api.raw(requestOf('GET', path, { accept }));
      assert.equal(reply.kind, 'chunks');
      const before = process.memoryUsage().arrayBuffers;
      let [length, most] = [0, 0];
      for await (const chunk of reply.chunks) {
        length += chunk.length;
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
      assert.ok(length > 10_000_000);
      assert.ok(most < 1_000_000, `${most} bytes`);
    });
});
