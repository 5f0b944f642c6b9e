import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { builtinTypes, typesAt } from '@orch/apis';
import { type ApiObject, namesFor } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { testEnv } from '@orch/machinery/testing';
import {
  codecCompiler,
  EnvelopeWriter,
  isEnvelope,
  messageField,
  openEnvelope,
  protobufCompiler,
} from '@orch/schema';
import { ModelStore } from '@orch/storage';
import { IGNORES_READ_ERRORS } from '../request/unsafe-deletion.ts';
import { Gadget, gadgets, OldGadget } from '../testing/gadget-rows.ts';
import {
  assertGadget,
  at,
  expectedGadget,
  type GadgetVersion,
  isOld,
  type Json,
  openGadgets,
  posted,
  versions,
} from '../testing/gadgets.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';
import { conversionCodecs, conversionMessages } from './conversion-codecs.ts';
import { StorageCodec, type StoredEncoding } from './storage-codec.ts';

const never = new AbortController().signal;
const orch = namesFor('orch');
const codecs = codecCompiler(orch);
const messages = protobufCompiler(orch);
const encodings = ['json', 'protobuf'] as const;
const keyOf = (name: string): string => `/registry/gadgets.apps/default/${name}`;
const nameOf = (encoding: StoredEncoding, version: GadgetVersion): string =>
  `${encoding}-${version.replace('/', '-')}`;

/** The stored form of a gadget in a version, as some replica wrote it. */
function storedBytes(encoding: StoredEncoding, version: GadgetVersion, changes: object = {}): Buffer {
  const { annotations, spec, status } = expectedGadget(version);
  const name = nameOf(encoding, version);
  const metadata = {
    name,
    namespace: 'default',
    uid: `uid-${name}`,
    generation: 1,
    creationTimestamp: '2020-01-01T00:00:00Z',
    labels: { in: encoding },
    annotations,
  };
  const object = { kind: 'Gadget', apiVersion: version, metadata, spec: { ...spec, ...changes }, status };
  return encoding === 'json' ? Buffer.from(JSON.stringify(object)) : enveloped(version, object);
}

function enveloped(version: GadgetVersion, object: object): Buffer {
  const schema = isOld(version) ? OldGadget : Gadget;
  const { value } = codecs.compile(schema).decode(object);
  return new EnvelopeWriter('Gadget', version).wrap(messageField(messages.compile(schema), value));
}

const emptyStore = (): ModelStore => new ModelStore({ clock: testEnv({ seed: 1 }).clock });

async function put(store: ModelStore, name: string, value: Buffer): Promise<number> {
  const { kv } = await store.get(keyOf(name), never);
  const done = await store.commit(
    kv === undefined
      ? { op: 'create', key: keyOf(name), value }
      : { op: 'update', key: keyOf(name), value, expected: kv.modRevision },
    never,
  );
  assert.ok(done.ok);
  return done.rev;
}

/** A store with one gadget in every encoding and version. */
async function mixedStore(): Promise<ModelStore> {
  const store = emptyStore();
  for (const encoding of encodings)
    for (const version of versions)
      await put(store, nameOf(encoding, version), storedBytes(encoding, version));
  return store;
}

const mixedNames = encodings.flatMap((encoding) => versions.map((version) => nameOf(encoding, version)));
mixedNames.sort();

/** Encoding and version of the bytes under a key: `protobuf apps/v1`. */
async function storedAs(store: ModelStore, name: string): Promise<string> {
  const { kv } = await store.get(keyOf(name), never);
  const value = kv?.value ?? assert.fail(`nothing is stored for ${name}`);
  return isEnvelope(value)
    ? `protobuf ${openEnvelope(value).apiVersion}`
    : `json ${JSON.parse(String(value)).apiVersion}`;
}

const namesIn = (list: Json): string[] => list.items.map((item: Json) => item.metadata.name);

for (const writes of encodings) {
  describe(`a store of JSON and Protobuf, written as ${writes}`, () => {
    it('a store of both encodings is read in every version, by selectors and at exact revisions', async () => {
      await using api = await openGadgets('1.21', { store: await mixedStore(), storedAs: writes });
      for (const version of versions) {
        const list = await api.get(at(version));
        assert.deepEqual(namesIn(list.json), mixedNames);
        for (const item of list.json.items) assertGadget(item, version, item.metadata.name);
        const one = await api.get(at(version, 'protobuf-apps-v1beta1'));
        assertGadget(one.json, version);
        assert.ok(Number(one.json.metadata.resourceVersion) > 0);
      }
      const selected = await api.get(`${at('apps/v1')}?labelSelector=in%3Dprotobuf`);
      assert.equal(selected.json.items.length, versions.length);
      const failing = await api.get(`${at('apps/v1')}?fieldSelector=spec.mode%3DFail`);
      assert.deepEqual(namesIn(failing.json), mixedNames);
    });

    it('a store of both encodings is listed at past revisions', async () => {
      const store = await mixedStore();
      const then = await store.currentRevision(never);
      for (const encoding of encodings)
        await put(
          store,
          nameOf(encoding, 'apps/v1'),
          storedBytes(encoding === 'json' ? 'protobuf' : 'json', 'apps/v1', { size: 9 }),
        );
      await using api = await openGadgets('1.21', { store, storedAs: writes });
      const past = await api.get(`${at('apps/v1')}?resourceVersion=${then}&resourceVersionMatch=Exact`);
      assert.equal(past.status, 200, past.text);
      assert.deepEqual(namesIn(past.json), mixedNames);
      for (const item of past.json.items) assertGadget(item, 'apps/v1', item.metadata.name);
    });

    it('a watch from the history of the store includes the old states of both encodings', async () => {
      const store = await mixedStore();
      const then = await store.currentRevision(never);
      const name = nameOf('protobuf', 'apps/v1');
      await put(store, name, storedBytes('protobuf', 'apps/v1', { size: 6, mode: 'Ignore' }));
      await put(store, name, storedBytes('json', 'apps/v1', { size: 7, mode: 'Ignore' }));
      const last = await put(store, name, storedBytes('protobuf', 'apps/v1beta1', { replicas: 8 }));
      const gone = await store.commit({ op: 'delete', key: keyOf(name), expected: last }, never);
      assert.ok(gone.ok);
      await using api = await openGadgets('1.21', { store, storedAs: writes });
      const events = async (query: string): Promise<unknown[]> => {
        const watch = await api.watch(`${at('apps/v1')}?watch=1&resourceVersion=${then}${query}`);
        await watch.until(query === '' ? 4 : 3);
        watch.stop();
        await watch.ended.catch(() => {});
        return watch.events.map(({ type, object }) => [type, object.apiVersion, object.spec?.size]);
      };
      assert.deepEqual(await events(''), [
        ['MODIFIED', 'apps/v1', 6],
        ['MODIFIED', 'apps/v1', 7],
        ['MODIFIED', 'apps/v1', 8],
        ['DELETED', 'apps/v1', 8],
      ]);
      assert.deepEqual(
        await events('&fieldSelector=spec.mode%3DFail'),
        [
          ['DELETED', 'apps/v1', 5],
          ['ADDED', 'apps/v1', 8],
          ['DELETED', 'apps/v1', 8],
        ],
        'the state before the first event is read from the store',
      );
    });

    it('an update rewrites the object in the current encoding, even when it changes nothing', async () => {
      const store = await mixedStore();
      await using api = await openGadgets('1.21', { store, storedAs: writes });
      for (const encoding of encodings)
        for (const version of versions) {
          const name = nameOf(encoding, version);
          const got = await api.get(at('apps/v1beta1', name));
          await api.put(`${at('apps/v1beta1', name)}?dryRun=All`, got.json);
          assert.equal(await storedAs(store, name), `${encoding} ${version}`, 'a dry run writes nothing');
          const updated = await api.put(at('apps/v1beta1', name), got.json);
          assert.equal(updated.status, 200, updated.text);
          assert.equal(await storedAs(store, name), `${writes} apps/v1`);
          await api.settled();
          const again = await api.put(at('apps/v1', name), (await api.get(at('apps/v1', name))).json);
          assert.equal(again.json.metadata.resourceVersion, updated.json.metadata.resourceVersion);
        }
    });

    it('objects of both encodings are patched, scaled and deleted', async () => {
      const store = await mixedStore();
      await using api = await openGadgets('1.21', { store, storedAs: writes });
      for (const name of mixedNames) {
        const patched = await api.patch(at('apps/v1', name), { metadata: { labels: { patched: 'yes' } } });
        assert.equal(patched.status, 200, patched.text);
        assertGadget(patched.json, 'apps/v1');
        const scaled = await api.patch(at('apps/v1', name, '/scale'), { spec: { replicas: 11 } });
        assert.equal(scaled.json.spec.replicas, 11);
        const status = await api.patch(at('apps/v1beta2', name, '/status'), { status: { phase: 'Here' } });
        assert.deepEqual(status.json.status, { size: 0, phase: 'Here' });
        assert.equal(await storedAs(store, name), `${writes} apps/v1`);
        await api.settled();
        const got = await api.get(at('apps/v1', name));
        assert.deepEqual(
          got.json,
          status.json.apiVersion === 'apps/v1' ? status.json : { ...status.json, apiVersion: 'apps/v1' },
        );
        const deleted = await api.delete(at('extensions/v1beta1', name));
        assert.equal(deleted.status, 200, deleted.text);
      }
      assert.equal((await api.get(at('apps/v1'))).json.items.length, 0);
    });

    it('both encodings have the same digest in the cache', async () => {
      const store = await mixedStore();
      await using api = await openGadgets('1.21', { store, storedAs: writes });
      await api.post(at('apps/v1'), posted('apps/v1', 'new'));
      await api.settled();
      const { compared, mismatches } = await api.cache.verify(never);
      assert.deepEqual([compared >= mixedNames.length + 1, mismatches], [true, 0]);
    });
  });
}

describe('replicas that write different encodings into one store', () => {
  it("replicas with different encodings see each other's writes and watch events", async () => {
    const store = emptyStore();
    await using json = await openGadgets('1.21', { store });
    await using protobuf = await openGadgets('1.21', { store, storedAs: 'protobuf' });
    const watches = await Promise.all([json, protobuf].map((api) => api.watch(`${at('apps/v1')}?watch=1`)));
    await json.post(at('apps/v1'), posted('apps/v1', 'g'));
    let writer = protobuf;
    let reader = json;
    for (let size = 1; size <= 4; size++) {
      const done = await writer.patch(at('apps/v1', 'g'), { spec: { size } });
      assert.equal(done.status, 200, done.text);
      assert.equal(await storedAs(store, 'g'), `${writer === json ? 'json' : 'protobuf'} apps/v1`);
      await reader.settled();
      assert.deepEqual((await reader.get(at('apps/v1', 'g'))).json, done.json);
      [writer, reader] = [reader, writer];
    }
    for (const watch of watches) {
      await watch.until(5);
      assert.deepEqual(
        watch.events.map(({ object }) => object.spec.size),
        [5, 1, 2, 3, 4],
      );
      watch.stop();
      await watch.ended.catch(() => {});
    }
  });

  it('kinds that are stored as JSON only are not written as Protobuf', async () => {
    const store = emptyStore();
    const types = [
      ...builtinTypes.filter(({ resource }) => resource === 'namespaces'),
      { ...gadgets, jsonOnly: true },
    ];
    await using api = await RegistryFixture.open({ release: '1.21', types, store, storedAs: 'protobuf' });
    const made = await api.post(at('apps/v1'), posted('apps/v1', 'g'));
    assert.equal(made.status, 201, made.text);
    assert.equal(await storedAs(store, 'g'), 'json apps/v1');
    const name = nameOf('protobuf', 'apps/v1');
    await put(store, name, storedBytes('protobuf', 'apps/v1'));
    await api.settled();
    assert.equal((await api.get(at('apps/v1', name))).status, 500, 'it cannot be read');
  });
});

describe('unreadable stored messages', () => {
  const good = storedBytes('protobuf', 'apps/v1');
  const field = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x12, bytes.length]), bytes]);
  const bad: Readonly<Record<string, Buffer>> = {
    cut: good.subarray(0, good.length - 7),
    kind: new EnvelopeWriter('Widget', 'apps/v1').wrap(field(Buffer.alloc(0))),
    magic: good.subarray(0, 4),
    packed: Buffer.concat([
      new EnvelopeWriter('Gadget', 'apps/v1').prefix,
      field(Buffer.alloc(0)),
      // A content encoding.
      Buffer.from('1a04677a6970', 'hex'),
    ]),
    type: new EnvelopeWriter('Gadget', 'apps/v1').wrap(field(Buffer.from('0802', 'hex'))),
    version: new EnvelopeWriter('Gadget', 'apps/v9').wrap(field(Buffer.alloc(0))),
  };

  it('an unreadable message is named by lists, and can only be deleted with the option for it', async () => {
    const store = emptyStore();
    for (const [name, value] of Object.entries(bad)) await put(store, name, value);
    await using api = await openGadgets('1.21', { store, storedAs: 'protobuf' });
    for (const version of versions) {
      const list = await api.get(at(version));
      assert.equal(list.status, 500);
      for (const name of Object.keys(bad)) assert.match(list.json.message, new RegExp(`default/${name} \\(`));
    }
    for (const name of Object.keys(bad)) {
      const patched = await api.patch(at('apps/v1', name), { spec: { size: 3 } });
      assert.equal(patched.status, 500, name);
      assert.match(patched.json.message, /cannot be read/);
      assert.equal((await api.delete(at('apps/v1', name))).status, 500);
      assert.equal((await api.delete(`${at('apps/v1', name)}?${IGNORES_READ_ERRORS}=true`)).status, 200);
      assert.equal((await store.get(keyOf(name), never)).kv, undefined);
    }
  });
});

/** The release of which all stored kinds are read. */
const RELEASE = '1.24';

describe('bytes that the reference implementation stored', () => {
  const kubernetes = namesFor('kubernetes');
  const options = {
    names: kubernetes,
    codecs: conversionCodecs(kubernetes, RELEASE),
    messages: conversionMessages(kubernetes, RELEASE),
    encoding: 'protobuf',
  } as const;
  const lines = readFileSync(new URL('observed-protobuf.fixture.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseJson(Buffer.from(line)) as { object: ApiObject; bytes: string });
  const rows = typesAt(RELEASE, builtinTypes);

  for (const { object, bytes } of lines) {
    const { kind = '', apiVersion = '' } = object;
    const row = rows.find(
      (type) => type.kind === kind && kubernetes.apiVersion(type.group, type.stored.version) === apiVersion,
    );
    if (row === undefined || row.virtual === true) continue;
    it(`stored bytes of the reference are read and written: ${apiVersion} ${kind}`, () => {
      const stored = new StorageCodec(row, options);
      const value = Buffer.from(bytes, 'base64');
      assert.ok(stored.isCurrent(value));
      const { json } = stored.read(value);
      assert.deepEqual(parseJson(json), object);
      assert.equal(stored.encode(parseJson(json) as ApiObject).value.toString('base64'), bytes);
    });
  }
});
