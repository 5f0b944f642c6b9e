import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testEnv } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import { IGNORES_READ_ERRORS } from '../request/unsafe-deletion.ts';
import { noteKey, tagsKey } from '../testing/gadget-rows.ts';
import {
  at,
  expectedGadget,
  type GadgetVersion,
  isOld,
  type Json,
  openGadgets,
  posted,
  versions,
} from '../testing/gadgets.ts';

const never = new AbortController().signal;
const keyOf = (name: string): string => `/registry/gadgets.apps/default/${name}`;

/** The stored form of a gadget in a version, as an earlier release wrote it. */
function storedBytes(version: GadgetVersion, name: string): Buffer {
  const { annotations, spec, status } = expectedGadget(version);
  const metadata = {
    name,
    namespace: 'default',
    uid: `uid-${name}`,
    generation: 1,
    creationTimestamp: '2020-01-01T00:00:00Z',
    labels: { from: version.replace('/', '.') },
    annotations,
  };
  return Buffer.from(JSON.stringify({ kind: 'Gadget', apiVersion: version, metadata, spec, status }));
}

/** A store with these values under the keys of gadgets. */
async function storeOf(values: Readonly<Record<string, Buffer | string>>): Promise<ModelStore> {
  const store = new ModelStore({ clock: testEnv({ seed: 1 }).clock });
  for (const [name, value] of Object.entries(values)) {
    const done = await store.commit({ op: 'create', key: keyOf(name), value: Buffer.from(value) }, never);
    assert.ok(done.ok);
  }
  return store;
}

const nameOf = (version: GadgetVersion): string => version.replace('/', '-');
const everyVersion = () =>
  storeOf(
    Object.fromEntries(versions.map((version) => [nameOf(version), storedBytes(version, nameOf(version))])),
  );

const storedVersion = async (store: ModelStore, name: string): Promise<string> => {
  const { kv } = await store.get(keyOf(name), never);
  return JSON.parse(String(kv?.value)).apiVersion;
};

describe('a store with objects of earlier releases', () => {
  for (const release of ['1.18', '1.20', '1.25']) {
    const served = versions.filter((version) =>
      release === '1.25' ? !isOld(version) : release === '1.20' || isOld(version),
    );

    it(`release ${release} reads stored objects of every declared version, served or not`, async () => {
      await using api = await openGadgets(release, { store: await everyVersion() });
      for (const version of served) {
        const list = await api.get(at(version));
        assert.equal(list.json.items.length, versions.length);
        for (const item of list.json.items) {
          const { annotations, spec, status } = expectedGadget(version);
          assert.deepEqual([item.apiVersion, item.metadata.annotations], [version, annotations]);
          assert.deepEqual([item.spec, item.status], [spec, status], `${item.metadata.name} as ${version}`);
          assert.ok(Number(item.metadata.resourceVersion) > 0);
        }
        const selected = await api.get(`${at(version)}?labelSelector=from%3Dextensions.v1beta1`);
        assert.deepEqual(
          selected.json.items.map((item: Json) => item.metadata.name),
          ['extensions-v1beta1'],
        );
      }
    });
  }

  it('an update rewrites the object in the current stored version, even when it changes nothing', async () => {
    const store = await everyVersion();
    await using api = await openGadgets('1.21', { store });
    for (const version of versions) {
      const name = nameOf(version);
      assert.equal(await storedVersion(store, name), version);
      const got = await api.get(at('apps/v1beta1', name));
      const dry = await api.put(`${at('apps/v1beta1', name)}?dryRun=All`, got.json);
      assert.equal(dry.status, 200, dry.text);
      assert.equal(await storedVersion(store, name), version, 'a dry run writes nothing');
      const put = await api.put(at('apps/v1beta1', name), got.json);
      assert.equal(put.status, 200, put.text);
      assert.equal(await storedVersion(store, name), 'apps/v1');
      const moved = put.json.metadata.resourceVersion !== got.json.metadata.resourceVersion;
      assert.equal(moved, version !== 'apps/v1', version);
      await api.settled();
      const again = await api.put(at('apps/v1', name), (await api.get(at('apps/v1', name))).json);
      assert.equal(again.json.metadata.resourceVersion, put.json.metadata.resourceVersion);
    }
  });

  it('a replica of the previous release reads the store and writes its own stored version', async () => {
    const store = await storeOf({});
    await using newer = await openGadgets('1.21', { store });
    await using older = await openGadgets('1.20', { store });
    await newer.post(at('apps/v1'), posted('apps/v1', 'g'));
    await older.settled();
    const got = await older.get(at('extensions/v1beta1', 'g'));
    assert.deepEqual(got.json.spec, expectedGadget('extensions/v1beta1').spec);
    await older.put(at('extensions/v1beta1', 'g'), got.json);
    assert.equal(await storedVersion(store, 'g'), 'apps/v1beta2');
    await newer.settled();
    assert.deepEqual((await newer.get(at('apps/v1', 'g'))).json.spec, expectedGadget('apps/v1').spec);
  });

  it('a watch shows changes by other replicas in the version of the client', async () => {
    const store = await storeOf({});
    await using api = await openGadgets('1.21', { store });
    const watch = await api.watch(`${at('apps/v1')}?watch=1`);
    for (const version of versions) {
      const name = nameOf(version);
      await store.commit({ op: 'create', key: keyOf(name), value: storedBytes(version, name) }, never);
    }
    await watch.until(versions.length);
    for (const { object } of watch.events) {
      assert.deepEqual([object.apiVersion, object.spec], ['apps/v1', expectedGadget('apps/v1').spec]);
    }
    watch.stop();
    await watch.ended.catch(() => {});
  });

  it('a stored object is read with its fields in any order', async () => {
    const { kind, apiVersion, metadata, spec } = JSON.parse(String(storedBytes('apps/v1beta1', 'odd')));
    const odd = JSON.stringify({ spec, metadata, apiVersion, kind }, undefined, 1);
    await using api = await openGadgets('1.21', { store: await storeOf({ odd }) });
    const got = await api.get(at('apps/v1', 'odd'));
    assert.deepEqual(got.json.spec, expectedGadget('apps/v1').spec);
  });
});

describe('unreadable stored objects', () => {
  const bad: Readonly<Record<string, string>> = {
    'other-kind': JSON.stringify({ kind: 'Widget', apiVersion: 'apps/v1', metadata: { name: 'other-kind' } }),
    'other-version': JSON.stringify({
      kind: 'Gadget',
      apiVersion: 'apps/v9',
      metadata: { name: 'other-version' },
    }),
    rot: '{"kind":"Gadget","apiVersion":"apps/v1beta1","metadata":{"na',
    'bad-annotation': JSON.stringify({
      kind: 'Gadget',
      apiVersion: 'apps/v1beta1',
      metadata: { name: 'bad-annotation', namespace: 'default', annotations: { [noteKey]: '{"no":"text"}' } },
      spec: { replicas: 1 },
      status: { replicas: 0 },
    }),
  };

  it('an unreadable object is named by lists in every version, and can only be deleted with the option for it', async () => {
    const store = await storeOf({ ...bad, good: storedBytes('apps/v1beta1', 'good') });
    await using api = await openGadgets('1.21', { store });
    for (const version of versions) {
      for (const accept of ['application/json', 'application/json;as=Table;g=meta.orch.io;v=v1']) {
        const list = await api.get(at(version), { accept });
        assert.equal(list.status, 500);
        for (const name of Object.keys(bad))
          assert.match(list.json.message, new RegExp(`default/${name} \\(`));
      }
      assert.equal((await api.get(at(version, 'good'))).status, 200);
    }
    for (const name of Object.keys(bad)) {
      for (const answer of [
        await api.patch(at('apps/v1', name), { spec: { size: 3 } }),
        await api.delete(at('apps/v1', name)),
      ]) {
        assert.equal(answer.status, 500, name);
        assert.match(answer.json.message, /cannot be read/);
      }
      assert.equal((await api.delete(`${at('apps/v1', name)}?${IGNORES_READ_ERRORS}=true`)).status, 200);
      assert.equal((await store.get(keyOf(name), never)).kv, undefined);
    }
    assert.equal((await api.get(at('apps/v1'))).status, 200);
  });
});

describe('annotations that preserve fields of another version', () => {
  const put = (version: GadgetVersion, annotations: Record<string, string>) => ({
    kind: 'Gadget',
    apiVersion: version,
    metadata: { name: 'g', annotations },
  });

  it('an annotation with an invalid field value is refused in the version with that field', async () => {
    await using api = await openGadgets('1.21');
    for (const version of ['apps/v1beta1', 'extensions/v1beta1'] as const) {
      const made = await api.post(at(version), put(version, { [noteKey]: '{"no":"text"}' }));
      assert.equal(made.status, 400, made.text);
      assert.match(made.json.message, /cannot be converted from .* to apps\/v1: spec\.note/);
    }
  });

  it('an invalid field value in an annotation is omitted in other versions', async () => {
    await using api = await openGadgets('1.21');
    const made = await api.post(at('apps/v1'), put('apps/v1', { [tagsKey]: '"no list"' }));
    assert.equal(made.status, 201, made.text);
    const older = await api.get(at('apps/v1beta1', 'g'));
    assert.equal(older.status, 200);
    assert.equal(older.json.spec.tags, undefined);
    assert.equal((await api.get(at('apps/v1beta1'))).json.items.length, 1);
    const patched = await api.patch(at('apps/v1beta1', 'g'), { spec: { replicas: 4 } });
    assert.equal(patched.status, 200, patched.text);
  });

  it('an object that could not be read back is not stored', async () => {
    await using api = await openGadgets('1.19');
    const refused = await api.post(at('apps/v1beta2'), put('apps/v1beta2', { [noteKey]: '{"no":"text"}' }));
    assert.equal(refused.status, 400, 'stored as apps/v1beta1, where the annotation counts');
    const taken = await api.post(at('apps/v1beta2'), put('apps/v1beta2', { [noteKey]: '"text"' }));
    assert.deepEqual(
      [taken.status, taken.json.spec.note],
      [201, 'text'],
      'what is answered is what is stored',
    );
    await api.settled();
    assert.deepEqual((await api.get(at('apps/v1beta2', 'g'))).json.spec, taken.json.spec);
  });
});
