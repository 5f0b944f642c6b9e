import assert from 'node:assert/strict';
import type { ApiObject } from '@orch/machinery';
import { assertKept } from '../assert-kept.ts';
import type { TypedObject } from '../client.ts';
import { expectStatus, type Life, objectOf, read, withoutRevision, yaml } from './context.ts';

/** Sent as JSON, as YAML and as Protobuf, an object becomes the same; two of them are dry runs, which leave nothing. */
export async function create(life: Life): Promise<void> {
  const { api, collection, manifest, path, protobuf } = life;
  const dry = `${collection}?dryRun=All`;
  const json = objectOf(expectStatus(201, await api.post(dry, manifest.object), 'dry run of a POST'));
  const { protobuf: contentType } = api.names.mediaTypes;
  const body = protobuf.write(manifest.object);
  const binary = await api.send('POST', dry, { body, contentType });
  expectStatus(201, binary, 'POST of Protobuf');
  expectStatus(404, await api.get(path), 'after the dry runs');
  const text = await api.post(collection, manifest.text, { contentType: yaml });
  const created = objectOf(expectStatus(201, text, `POST of ${manifest.path}`));
  assertCreated(life, created);
  assert.deepEqual(withoutIdentity(created), withoutIdentity(json), 'YAML and JSON differ as bodies');
  assert.deepEqual(withoutIdentity(objectOf(binary)), withoutIdentity(json), 'Protobuf differs as a body');
  assert.deepEqual(await read(life), created, 'GET shows what POST answered');
}

/** A new object shows everything that its file says, and what the server gives to all. */
function assertCreated({ manifest, protobuf }: Life, created: TypedObject): void {
  assertKept(manifest.object, created);
  assert.deepEqual(protobuf.unknownMembers(created), [], 'what the release does not have');
  assert.ok(created.metadata.uid, 'it has a uid');
  assert.ok(created.metadata.creationTimestamp, 'it has a time of creation');
}

const givenToServices = new Set(['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort']);

/** An object but for what is drawn or counted anew for each, wherever it stands. */
function withoutIdentity(object: ApiObject): ApiObject {
  const { uid = '', creationTimestamp: _time, ...metadata } = withoutRevision(object).metadata;
  const text = JSON.stringify({ ...object, metadata }, (key, value) =>
    givenToServices.has(key) ? undefined : value,
  );
  return JSON.parse(text.replaceAll(uid, 'uid')) as ApiObject;
}

const mark = (object: ApiObject): unknown => object.metadata.annotations?.['suite.example/mark'];

function marked(object: TypedObject, value: string): TypedObject {
  const annotations = { ...object.metadata.annotations, 'suite.example/mark': value };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** PUT: changes what it says; says nothing new, changes nothing; says it with an old revision, is refused. */
export async function update(life: Life): Promise<void> {
  const { api, path } = life;
  const before = await read(life);
  const dry = await api.put(`${path}?dryRun=All`, marked(before, 'dry'));
  assert.equal(mark(objectOf(expectStatus(200, dry, 'dry run of a PUT'))), 'dry');
  assert.deepEqual(await read(life), before, 'a dry run changes nothing');

  const put = objectOf(expectStatus(200, await api.put(path, marked(before, 'put')), 'PUT'));
  assert.deepEqual(withoutRevision(put), withoutRevision(marked(before, 'put')), 'PUT changes what it says');
  assert.notEqual(put.metadata.resourceVersion, before.metadata.resourceVersion);
  const same = objectOf(expectStatus(200, await api.put(path, put), 'PUT of the same'));
  assert.equal(same.metadata.resourceVersion, put.metadata.resourceVersion, 'nothing changed');
  expectStatus(409, await api.put(path, marked(before, 'late')), 'PUT with an old revision');

  const { protobuf: contentType } = api.names.mediaTypes;
  const body = life.protobuf.write(marked(put, 'protobuf'));
  const binary = await api.send('PUT', path, { body, contentType });
  assert.deepEqual(
    withoutRevision(objectOf(expectStatus(200, binary, 'PUT of Protobuf'))),
    withoutRevision(marked(put, 'protobuf')),
    'PUT of Protobuf changes what it says',
  );
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Each kind of patch changes the annotation that it names, and nothing else. */
export async function patch(life: Life): Promise<void> {
  const { api, path } = life;
  for (const [name, contentType] of Object.entries(patchTypes)) {
    const before = await read(life);
    const body =
      name === 'json'
        ? [{ op: 'replace', path: '/metadata/annotations/suite.example~1mark', value: name }]
        : { metadata: { annotations: { 'suite.example/mark': name } } };
    const dry = await api.send('PATCH', `${path}?dryRun=All`, { body, contentType });
    expectStatus(200, dry, `dry run of a ${name} patch`);
    assert.deepEqual(await read(life), before, 'a dry run changes nothing');
    const patched = await api.send('PATCH', path, { body, contentType });
    assert.deepEqual(
      withoutRevision(objectOf(expectStatus(200, patched, `${name} patch`))),
      withoutRevision(marked(before, name)),
      `the ${name} patch changes what it says`,
    );
  }
}

/** Deletes it, keeping nothing for collectors; it is gone then. */
export async function remove(life: Life): Promise<void> {
  const { api, path, served } = life;
  const query = 'propagationPolicy=Background';
  expectStatus(200, await api.delete(`${path}?${query}&dryRun=All`), 'dry run of a DELETE');
  expectStatus(200, await api.get(path), 'after the dry run');
  const deleted = expectStatus(200, await api.delete(`${path}?${query}`), 'DELETE');
  assert.ok(['Status', served.kind].includes(objectOf(deleted).kind), deleted.text);
  await finalized(life);
  expectStatus(404, await api.get(path), 'after the DELETE');
  expectStatus(404, await api.delete(path), 'a second DELETE');
}

/** Namespaces go when somebody has finalized them. */
async function finalized(life: Life): Promise<void> {
  const { api, path, served } = life;
  if (!served.subresources.some(({ name }) => name === 'finalize')) return;
  const terminating = await read(life);
  const empty = { ...terminating, spec: { finalizers: [] } };
  expectStatus(200, await api.put(`${path}/finalize`, empty), 'PUT of finalize');
}

/** Deletes those that a selector chooses, and no others. */
export async function removeCollection(life: Life): Promise<void> {
  const { api, collection, path, manifest, served } = life;
  if (!served.verbs.includes('deletecollection')) return;
  const { metadata } = manifest.object;
  const labelled = { ...metadata, labels: { ...metadata.labels, suite: 'kinds' } };
  expectStatus(201, await api.post(collection, { ...manifest.object, metadata: labelled }), 'POST');
  const query = 'propagationPolicy=Background&labelSelector=suite%3D';
  expectStatus(200, await api.delete(`${collection}?${query}other`), 'DELETE of others');
  expectStatus(200, await api.get(path), 'after others were deleted');
  expectStatus(200, await api.delete(`${collection}?${query}kinds`), 'DELETE of the collection');
  expectStatus(404, await api.get(path), 'after the collection was deleted');
}
