import assert from 'node:assert/strict';
import type { ApiObject } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import { assertKept } from '../assert-kept.ts';
import type { TypedObject } from '../client.ts';
import { expectStatus, objectOf, read, type TestedObject, withoutRevision, yaml } from './context.ts';

/** Creates the object from JSON, YAML and Protobuf with equal results; two of the requests are dry runs, which store nothing. */
export async function create(tested: TestedObject): Promise<void> {
  const { api, collection, manifest, path, protobuf } = tested;
  const dry = `${collection}?dryRun=All`;
  const json = objectOf(expectStatus(201, await api.post(dry, manifest.object), 'dry run of a POST'));
  const { protobuf: contentType } = api.names.mediaTypes;
  const body = protobuf.write(manifest.object);
  const binary = await api.send('POST', dry, { body, contentType });
  expectStatus(201, binary, 'POST of Protobuf');
  expectStatus(404, await api.get(path), 'after the dry runs');
  const text = await api.post(collection, manifest.text, { contentType: yaml });
  const created = objectOf(expectStatus(201, text, `POST of ${manifest.path}`));
  assertCreated(tested, created);
  assert.deepEqual(withoutIdentity(created), withoutIdentity(json), 'YAML and JSON differ as bodies');
  assert.deepEqual(withoutIdentity(objectOf(binary)), withoutIdentity(json), 'Protobuf differs as a body');
  assert.deepEqual(await read(tested), created, 'GET shows what POST answered');
}

/** A created object has every field of its manifest, and the metadata that the server sets. */
function assertCreated({ manifest, protobuf }: TestedObject, created: TypedObject): void {
  assertKept(manifest.object, created);
  assert.deepEqual(protobuf.unknownFields(created), [], 'what the release does not have');
  assert.ok(created.metadata.uid, 'it has a uid');
  assert.ok(created.metadata.creationTimestamp, 'it has a time of creation');
}

const allocatedByServer = new Set(['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort']);

/** An object without random and allocated values, which differ between objects. */
function withoutIdentity(object: ApiObject): ApiObject {
  const { uid = '', creationTimestamp: _time, ...metadata } = withoutRevision(object).metadata;
  const text = JSON.stringify({ ...object, metadata }, (key, value) =>
    allocatedByServer.has(key) ? undefined : value,
  );
  return JSON.parse(text.replaceAll(uid, 'uid')) as ApiObject;
}

const mark = (object: ApiObject): unknown => object.metadata.annotations?.['suite.example/mark'];

function marked(object: TypedObject, value: string): TypedObject {
  const annotations = { ...object.metadata.annotations, 'suite.example/mark': value };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** The object after a write with the mark. Annotations of deployments count as their specification. */
function afterMark(object: TypedObject, value: string): TypedObject {
  const changed = marked(object, value);
  const { generation } = object.metadata;
  if (object.kind !== 'Deployment' || generation === undefined) return changed;
  return { ...changed, metadata: { ...changed.metadata, generation: generation + 1 } };
}

/** A PUT changes the object; an equal one changes nothing; one with an old revision is refused. */
export async function update(tested: TestedObject): Promise<void> {
  const { api, path } = tested;
  const before = await read(tested);
  const dry = await api.put(`${path}?dryRun=All`, marked(before, 'dry'));
  assert.equal(mark(objectOf(expectStatus(200, dry, 'dry run of a PUT'))), 'dry');
  assert.deepEqual(await read(tested), before, 'a dry run changes nothing');

  const put = objectOf(expectStatus(200, await api.put(path, marked(before, 'put')), 'PUT'));
  assert.deepEqual(
    withoutRevision(put),
    withoutRevision(afterMark(before, 'put')),
    'PUT changes what it says',
  );
  assert.notEqual(put.metadata.resourceVersion, before.metadata.resourceVersion);
  const same = objectOf(expectStatus(200, await api.put(path, put), 'PUT of the same'));
  assert.equal(same.metadata.resourceVersion, put.metadata.resourceVersion, 'nothing changed');
  expectStatus(409, await api.put(path, marked(before, 'late')), 'PUT with an old revision');

  const { protobuf: contentType } = api.names.mediaTypes;
  const body = tested.protobuf.write(marked(put, 'protobuf'));
  const binary = await api.send('PUT', path, { body, contentType });
  assert.deepEqual(
    withoutRevision(objectOf(expectStatus(200, binary, 'PUT of Protobuf'))),
    withoutRevision(afterMark(put, 'protobuf')),
    'PUT of Protobuf changes what it says',
  );
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Each kind of patch changes the annotation that it names, and nothing else. */
export async function patch(tested: TestedObject): Promise<void> {
  const { api, path } = tested;
  for (const [name, contentType] of Object.entries(patchTypes)) {
    const before = await read(tested);
    const body =
      name === 'json'
        ? [{ op: 'replace', path: '/metadata/annotations/suite.example~1mark', value: name }]
        : { metadata: { annotations: { 'suite.example/mark': name } } };
    const dry = await api.send('PATCH', `${path}?dryRun=All`, { body, contentType });
    expectStatus(200, dry, `dry run of a ${name} patch`);
    assert.deepEqual(await read(tested), before, 'a dry run changes nothing');
    const patched = await api.send('PATCH', path, { body, contentType });
    assert.deepEqual(
      withoutRevision(objectOf(expectStatus(200, patched, `${name} patch`))),
      withoutRevision(afterMark(before, name)),
      `the ${name} patch changes what it says`,
    );
  }
}

/** Deletes the object with background propagation; it is not found afterwards. */
export async function remove(tested: TestedObject): Promise<void> {
  const { api, path, served } = tested;
  const query = 'propagationPolicy=Background';
  expectStatus(200, await api.delete(`${path}?${query}&dryRun=All`), 'dry run of a DELETE');
  expectStatus(200, await api.get(path), 'after the dry run');
  const deleted = expectStatus(200, await api.delete(`${path}?${query}`), 'DELETE');
  assert.ok(['Status', served.kind].includes(objectOf(deleted).kind), deleted.text);
  await finalized(tested);
  expectStatus(404, await api.get(path), 'after the DELETE');
  expectStatus(404, await api.delete(path), 'a second DELETE');
}

/** The server removes a definition after its objects. */
async function definitionRemoved({ api, path, served }: TestedObject): Promise<void> {
  if (served.kind !== 'CustomResourceDefinition') return;
  for (let turn = 0; turn < MAX_TURNS && (await api.get(path)).status !== 404; turn++) await settle();
}

/** Times that other work of the server gets a turn before an object counts as kept. */
const MAX_TURNS = 200;

/** Completes a deletion: a namespace is finalized here, a definition by the server, after its objects. */
async function finalized(tested: TestedObject): Promise<void> {
  const { api, path, served } = tested;
  await definitionRemoved(tested);
  if (!served.subresources.some(({ name }) => name === 'finalize')) return;
  const terminating = await read(tested);
  const empty = { ...terminating, spec: { finalizers: [] } };
  expectStatus(200, await api.put(`${path}/finalize`, empty), 'PUT of finalize');
}

/** Deletes the objects that a selector matches, and no others. */
export async function removeCollection(tested: TestedObject): Promise<void> {
  const { api, collection, path, manifest, served } = tested;
  if (!served.verbs.includes('deletecollection')) return;
  const { metadata } = manifest.object;
  const labelled = { ...metadata, labels: { ...metadata.labels, suite: 'kinds' } };
  expectStatus(201, await api.post(collection, { ...manifest.object, metadata: labelled }), 'POST');
  const query = 'propagationPolicy=Background&labelSelector=suite%3D';
  expectStatus(200, await api.delete(`${collection}?${query}other`), 'DELETE of others');
  expectStatus(200, await api.get(path), 'after others were deleted');
  expectStatus(200, await api.delete(`${collection}?${query}kinds`), 'DELETE of the collection');
  await definitionRemoved(tested);
  expectStatus(404, await api.get(path), 'after the collection was deleted');
}
