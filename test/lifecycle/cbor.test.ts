import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { readCbor, writeCbor } from '@orch/machinery/cbor';
import type { Answered, RequestParts } from '@orch/registry/testing';
import { ApiFixture } from '@orch/server/testing';
import { manifestsOf, readManifests } from './manifests.ts';
import { collectionOf, type ServedKind, servedKinds } from './served-kinds.ts';
import { expectStatus } from './steps/context.ts';

const CBOR = 'application/cbor';
const APPLY = 'application/apply-patch+cbor';
const maps = '/api/v1/namespaces/default/configmaps';
const asCbor = (body: unknown, parts: RequestParts = {}): RequestParts => ({
  contentType: CBOR,
  accept: CBOR,
  ...parts,
  body: writeCbor(body),
});

/** The object of an answer in CBOR. */
function objectOf(code: number, answered: Answered, what: string): ApiObject {
  assert.equal(answered.status, code, `${what}: ${answered.text.slice(0, 500)}`);
  assert.equal(answered.headers['Content-Type'], CBOR, what);
  return readCbor(answered.bytes) as ApiObject;
}

/** Fields that differ between two creations of the same object: those of identities and of addresses and ports of services. */
const allotted: ReadonlySet<string> = new Set([
  ...['uid', 'creationTimestamp', 'managedFields'],
  ...['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort'],
]);

const comparable = (object: ApiObject): string =>
  JSON.stringify(object, (name, value: unknown) =>
    allotted.has(name) || name.endsWith('controller-uid') ? undefined : value,
  );

describe('objects in CBOR', () => {
  let api: ApiFixture;
  let all: readonly ServedKind[];

  before(async () => {
    api = await ApiFixture.open({ release: '1.36', naming: 'kubernetes', isEnabled: () => true, cbor: true });
    all = await servedKinds(api, '1.36');
  });
  after(() => api[Symbol.asyncDispose]());

  it('a request in CBOR creates objects of every kind as JSON does, and has the same answers', async () => {
    let created = 0;
    for (const served of all.filter(({ verbs }) => verbs.includes('create'))) {
      for (const { object, path } of manifestsOf(readManifests(api.names), served)) {
        const target = `${collectionOf(served)}?dryRun=All`;
        const { status, json } = await api.post(target, object);
        const fromCbor = objectOf(status, await api.send('POST', target, asCbor(object)), `POST of ${path}`);
        assert.equal(comparable(fromCbor), comparable(json as ApiObject), path);
        if (status === 201) created += 1;
      }
    }
    assert.ok(created > 80, `${created} objects`);
  });

  it('a client of CBOR stores the JSON that a client of JSON would have stored', async () => {
    const object = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'bytes' }, data: { a: 'AQL/' } };
    const secrets = '/api/v1/namespaces/default/secrets';
    // A client that holds bytes sends them as they are, and says that their text is Base64.
    const bytes = Buffer.from('01 02 ff'.replaceAll(' ', ''), 'hex');
    const marker = writeCbor({ ...object, data: { a: '@@@' } });
    const at = marker.indexOf('@@@');
    const body = Buffer.concat([
      marker.subarray(0, at - 1),
      Buffer.from([0xd6, 0x43]),
      bytes,
      marker.subarray(at + 3),
    ]);
    objectOf(
      201,
      await api.send('POST', secrets, { body, contentType: CBOR, accept: CBOR }),
      'POST of bytes',
    );
    const read = (await api.get(`${secrets}/bytes`)).json as { data: object };
    assert.deepEqual(read.data, { a: 'AQL/' });
    assert.deepEqual(objectOf(200, await api.get(`${secrets}/bytes`, { accept: CBOR }), 'GET'), read);
  });

  it('a client of CBOR reads, lists, watches, updates, applies and deletes objects', async () => {
    const config = (name: string, value: string): object => ({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name },
      data: { value, empty: '', quoted: '"\\\u2028' },
    });
    const watching = await api.watch(`${maps}?watch=true&resourceVersion=0`, {
      accept: 'application/cbor-seq',
    });
    objectOf(201, await api.send('POST', maps, asCbor(config('c', 'a'))), 'POST');
    const updated = objectOf(200, await api.send('PUT', `${maps}/c`, asCbor(config('c', 'b'))), 'PUT');
    assert.deepEqual(updated, (await api.get(`${maps}/c`)).json);
    const apply = `${maps}/applied?fieldManager=tests`;
    const applied = asCbor(config('applied', 'x'), { contentType: APPLY });
    const created = objectOf(201, await api.send('PATCH', apply, applied), 'apply');
    assert.equal(
      (created.metadata.managedFields as { operation: string }[] | undefined)?.[0]?.operation,
      'Apply',
    );
    objectOf(200, await api.send('PATCH', apply, applied), 'the same apply');
    const list = objectOf(200, await api.get(maps, { accept: CBOR }), 'LIST');
    assert.deepEqual(list, (await api.get(maps)).json);
    for (const as of ['Table', 'PartialObjectMetadataList']) {
      const accept = `as=${as};v=v1;g=${api.names.group('meta')}`;
      const transformed = objectOf(200, await api.get(maps, { accept: `${CBOR};${accept}` }), as);
      assert.deepEqual(transformed, (await api.get(maps, { accept: `application/json;${accept}` })).json);
    }
    const options = asCbor({ kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] });
    objectOf(200, await api.send('DELETE', `${maps}/c`, options), 'DELETE as a dry run');
    objectOf(200, await api.delete(`${maps}/c`, undefined, { accept: CBOR }), 'DELETE');
    await watching.until(4);
    watching.stop();
    await watching.ended;
    const events = watching.frames.map((frame) => readCbor(frame) as { type: string; object: ApiObject });
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.metadata.name]),
      [
        ['ADDED', 'c'],
        ['MODIFIED', 'c'],
        ['ADDED', 'applied'],
        ['DELETED', 'c'],
      ],
    );
    assert.deepEqual(events[1]?.object, updated);
  });

  it('the server answers errors in CBOR and refuses malformed bodies with their position', async () => {
    const absent = objectOf(
      404,
      await api.get(`${maps}/absent`, { accept: CBOR }),
      'GET of an absent object',
    );
    assert.equal((absent as unknown as { reason: string }).reason, 'NotFound');
    for (const [body, message] of [
      [Buffer.from([0xa1, 0x41, 0x61]), /not valid CBOR: the data end too early at offset 3/],
      [Buffer.from([0xa2, 0x41, 0x61, 1, 0x41, 0x61, 2]), /a map has a key twice at offset 4/],
      [Buffer.alloc(0), /no body/],
    ] as const) {
      for (const [method, path, contentType] of [
        ['POST', maps, CBOR],
        ['PUT', `${maps}/c`, CBOR],
        ['PATCH', `${maps}/c?fieldManager=tests`, APPLY],
      ] as const) {
        const answered = await api.send(method, path, { body, contentType });
        assert.equal(answered.status, 400, answered.text);
        assert.match((answered.json as { message: string }).message, message);
      }
    }
  });

  it('CBOR is neither read nor written without its feature gate', async () => {
    await using closed = await ApiFixture.open({ release: '1.36', naming: 'kubernetes' });
    const body = writeCbor({ metadata: { name: 'a' } });
    expectStatus(415, await closed.send('POST', maps, { body, contentType: CBOR }), 'POST');
    expectStatus(
      415,
      await closed.send('PATCH', `${maps}/a?fieldManager=t`, { body, contentType: APPLY }),
      'apply',
    );
    expectStatus(406, await closed.get(maps, { accept: CBOR }), 'LIST');
    expectStatus(200, await closed.get(maps, { accept: `${CBOR},application/json;q=0.9` }), 'LIST');
  });
});
