import assert from 'node:assert/strict';
import type { ApiObject } from '@orch/machinery';
import { assertKept } from '../assert-kept.ts';
import { canonicalName } from '../canonical-names.ts';
import { selectableFields } from '../field-labels.ts';
import { translator } from '../manifests.ts';
import { statusOf } from '../statuses.ts';
import { expectStatus, nameOf, objectOf, read, type TestedObject, withoutRevision } from './context.ts';

/** `/status` writes the status and nothing else; the object itself never writes it. */
export async function status(tested: TestedObject): Promise<void> {
  const { api, path, served } = tested;
  if (!served.subresources.some(({ name }) => name === 'status')) return;
  const before = await read(tested);
  const known = statusOf(canonicalName(served.apiVersion, api.names), served.kind, before);
  assert.ok(known !== undefined, `${served.kind} has a status: test/lifecycle/statuses.ts needs a row`);
  const wanted = translator(api.names)(known);
  assert.deepEqual(objectOf(await api.get(`${path}/status`)), before, 'GET of the status shows the object');

  const sent = { ...before, status: wanted };
  const put = objectOf(expectStatus(200, await api.put(`${path}/status`, sent), 'PUT of the status'));
  assertKept(wanted, put['status'], '.status');
  assert.equal(put.metadata.generation, before.metadata.generation, 'a status is no new generation');
  assert.deepEqual(withoutStatus(put), withoutStatus(before), 'a status changes nothing else');

  const main = await api.put(path, { ...put, status: {} });
  assert.deepEqual(
    objectOf(expectStatus(200, main, 'PUT without a status'))['status'],
    put['status'],
    'PUT of the object leaves the status',
  );
  const contentType = 'application/merge-patch+json';
  const again = await api.send('PATCH', `${path}/status`, { body: { status: wanted }, contentType });
  assertKept(wanted, objectOf(expectStatus(200, again, 'PATCH of the status'))['status'], '.status');
}

const withoutStatus = (object: ApiObject): object => ({ ...withoutRevision(object), status: undefined });

/** `/scale` reads and writes the number of replicas, in JSON and Protobuf. */
export async function scale(tested: TestedObject): Promise<void> {
  const { api, path, served, protobuf } = tested;
  const form = served.subresources.find(({ name }) => name === 'scale');
  if (form === undefined) return;
  const before = objectOf(expectStatus(200, await api.get(`${path}/scale`), 'GET of the scale'));
  assert.deepEqual([before.apiVersion, before.kind], [form.apiVersion, form.kind]);
  const object = await read(tested);
  const replicas = replicasOf(object);
  assert.equal(replicasOf(before), replicas);

  const sent = { ...before, spec: { replicas: replicas + 2 } };
  const put = objectOf(expectStatus(200, await api.put(`${path}/scale`, sent), 'PUT of the scale'));
  assert.equal(replicasOf(put), replicas + 2);
  const scaled = await read(tested);
  assert.equal(replicasOf(scaled), replicas + 2);
  if (object.metadata.generation !== undefined)
    assert.equal(
      scaled.metadata.generation,
      object.metadata.generation + 1,
      'a new spec is a new generation',
    );

  const { protobuf: accept } = api.names.mediaTypes;
  const binary = expectStatus(200, await api.get(`${path}/scale`, { accept }), 'the scale as Protobuf');
  assert.deepEqual(protobuf.read(binary.bytes), objectOf(await api.get(`${path}/scale`)));
  const body = protobuf.write({ ...put, spec: { replicas }, metadata: { name: nameOf(tested) } });
  const back = await api.send('PUT', `${path}/scale`, { body, contentType: accept });
  assert.equal(replicasOf(objectOf(expectStatus(200, back, 'PUT of the scale in Protobuf'))), replicas);
  const patched = await api.patch(`${path}/scale`, { spec: { replicas: replicas + 1 } });
  assert.equal(replicasOf(objectOf(expectStatus(200, patched, 'PATCH of the scale'))), replicas + 1);
}

const replicasOf = (object: ApiObject): number =>
  (object['spec'] as { readonly replicas?: number } | undefined)?.replicas ?? 0;

/** `/approval`, where the kind has it, sets the condition. */
export async function approval(tested: TestedObject): Promise<void> {
  const { api, path, served } = tested;
  if (!served.subresources.some(({ name }) => name === 'approval')) return;
  const before = await read(tested);
  const approved = {
    type: 'Approved',
    status: 'True',
    reason: 'Known',
    message: 'approved by hand',
    lastUpdateTime: '2024-05-06T07:08:09Z',
  };
  const conditions = (before['status'] as { readonly conditions?: readonly unknown[] }).conditions ?? [];
  const sent = {
    ...before,
    status: { ...(before['status'] as object), conditions: [...conditions, approved] },
  };
  const put = await api.put(`${path}/approval`, sent);
  expectStatus(200, put, 'PUT of the approval');
  assertKept(sent.status, objectOf(put)['status'], '.status');
}

const escaped = (value: string): string => value.replace(/[\\,=]/g, (c) => `\\${c}`);

/** Every selectable field of the version selects the object by its value and excludes it by another. */
export async function selectByFields(tested: TestedObject): Promise<void> {
  const { api, collection, served } = tested;
  const apiVersion = canonicalName(served.apiVersion, api.names);
  const object = await read(tested);
  const found = async (selector: string): Promise<boolean> => {
    const answered = await api.get(`${collection}?fieldSelector=${encodeURIComponent(selector)}`);
    const { items } = expectStatus(200, answered, selector).json as { readonly items: readonly ApiObject[] };
    return items.some(({ metadata }) => metadata.uid === object.metadata.uid);
  };
  for (const [label, value] of selectableFields({ ...served, apiVersion }, object)) {
    assert.ok(await found(`${label}=${escaped(value)}`), `${label}=${value} selects it`);
    assert.ok(!(await found(`${label}!=${escaped(value)}`)), `${label}!=${value} excludes it`);
    assert.ok(!(await found(`${label}=${escaped(value)}x`)), `${label}=${value}x excludes it`);
  }
  const unknown = await api.get(`${collection}?fieldSelector=no.such.field%3Dx`);
  expectStatus(400, unknown, 'a field that is not selectable');
}
