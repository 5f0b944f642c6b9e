import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accepting, contentTypes, ok, refused, type Tested } from './tested.ts';
import type { Json } from './tested-kinds.ts';

/** The subresources status and scale where a kind has them, and their absence where it has not. */
export function describeSubresources(tested: Tested): void {
  describe('subresources of objects', () => {
    if (tested.kind.hasSubresources) {
      describeStatus(tested);
      describeScale(tested);
      describeOwners(tested);
    } else describeAbsent(tested);
  });
}

const merge = { contentType: contentTypes.merge };

function describeStatus(tested: Tested): void {
  const { kind } = tested;

  it('/status writes the status only, with the conflicts and dry runs of an update', async () => {
    const made = await tested.create('status');
    const path = tested.path('status', 'status');
    assert.deepEqual(ok(await tested.api.get(path)), made);
    const body = {
      ...tested.changed('status', 'ignored', {
        labels: { a: 'ignored' },
        resourceVersion: made.metadata.resourceVersion,
      }),
      status: { replicas: 2 },
    };
    const dry = ok(await tested.api.put(`${path}?dryRun=All`, body));
    assert.equal(dry.status.replicas, 2);
    assert.deepEqual(await tested.read('status'), made);
    const put = ok(await tested.api.put(path, body));
    assert.deepEqual([put.status.replicas, kind.valueOf(put)], [2, 'initial']);
    assert.equal(put.metadata.generation, made.metadata.generation);
    refused(await tested.api.put(path, body), 409, 'Conflict');
    refused(await tested.api.get(tested.path('absent', 'status')), 404, 'NotFound');
    ok(await tested.api.send('POST', path, { body }), 405);
    ok(await tested.api.delete(path), 405);
  });

  it('the labels and finalizers of an object are not written through /status, and its status through nothing else', async () => {
    await tested.create('isolated', { labels: { a: '1' } });
    const through = {
      metadata: { labels: { a: '2' }, finalizers: ['a.example/x'] },
      status: { replicas: 1 },
      ...kind.change('b'),
    };
    const patched = ok(await tested.patch(tested.path('isolated', 'status'), through));
    assert.deepEqual([kind.valueOf(patched), patched.status.replicas], ['initial', 1]);
    if (kind.isCustom)
      assert.deepEqual([patched.metadata.labels, patched.metadata.finalizers], [{ a: '1' }, undefined]);
    const main = ok(
      await tested.patch(tested.path('isolated'), { status: { replicas: 9 }, ...kind.change('b') }),
    );
    assert.deepEqual([kind.valueOf(main), main.status.replicas], ['b', 1]);
    const created = { ...tested.changed('born', 'a'), status: { replicas: 9 } };
    const born = ok(await tested.api.post(tested.collection, created), 201);
    assert.equal(born.status?.replicas, undefined);
  });

  it('every patch type that the kind serves works on /status', async () => {
    await tested.create('patched');
    const path = tested.path('patched', 'status');
    const json = [{ op: 'add', path: '/status', value: { replicas: 1 } }];
    assert.equal(ok(await tested.patch(path, json, 'json')).status.replicas, 1);
    assert.equal(ok(await tested.patch(path, { status: { replicas: 2 } })).status.replicas, 2);
    const config = {
      apiVersion: tested.apiVersion,
      kind: kind.kind,
      metadata: { name: 'patched' },
      status: { replicas: 3 },
    };
    const applied = await tested.patch(`${path}?fieldManager=s&force=true`, config, 'apply');
    assert.equal(ok(applied).status.replicas, 3);
    const strategic = await tested.patch(path, { status: { replicas: 4 } }, 'strategic');
    if (kind.isCustom) refused(strategic, 415, 'UnsupportedMediaType');
    else assert.equal(ok(strategic).status.replicas, 4);
  });
}

function describeScale(tested: Tested): void {
  const { kind } = tested;
  const scaled = async (name: string): Promise<Json> => ok(await tested.api.get(tested.path(name, 'scale')));

  it('/scale shows and writes the replicas, with the conflicts and dry runs of an update', async () => {
    const made = await tested.create('scale');
    const path = tested.path('scale', 'scale');
    const shown = await scaled('scale');
    assert.deepEqual(
      [shown.kind, shown.apiVersion, shown.spec],
      ['Scale', 'autoscaling/v1', { replicas: 1 }],
    );
    assert.deepEqual(
      [shown.metadata.uid, shown.metadata.resourceVersion],
      [made.metadata.uid, made.metadata.resourceVersion],
    );
    const body = { ...shown, spec: { replicas: 5 } };
    assert.deepEqual(ok(await tested.api.put(`${path}?dryRun=All`, body)).spec, { replicas: 5 });
    assert.deepEqual(await tested.read('scale'), made);
    assert.deepEqual(ok(await tested.api.put(path, body)).spec, { replicas: 5 });
    const after = await tested.read('scale');
    assert.deepEqual(
      [after.spec.replicas, after.metadata.generation, kind.valueOf(after)],
      [5, 2, 'initial'],
    );
    refused(await tested.api.put(path, body), 409, 'Conflict');
    refused(
      await tested.api.put(path, { ...body, metadata: { name: 'scale' }, spec: { replicas: -1 } }),
      422,
      'Invalid',
    );
    refused(await tested.api.get(tested.path('absent', 'scale')), 404, 'NotFound');
    ok(await tested.api.delete(path), 405);
  });

  it('/scale accepts patches, and shows the replicas and the selector of the status', async () => {
    await tested.create('scale-patch');
    const path = tested.path('scale-patch', 'scale');
    assert.equal(ok(await tested.patch(path, { spec: { replicas: 2 } })).spec.replicas, 2);
    const json = [{ op: 'replace', path: '/spec/replicas', value: 3 }];
    assert.equal(ok(await tested.patch(path, json, 'json')).spec.replicas, 3);
    const config = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'scale-patch' },
      spec: { replicas: 4 },
    };
    const applied = await tested.patch(`${path}?fieldManager=s&force=true`, config, 'apply');
    assert.equal(ok(applied).spec.replicas, 4);
    assert.equal((await tested.read('scale-patch')).spec.replicas, 4);
    const status = { status: { replicas: 7, ...(kind.isCustom ? { selector: 'a=b' } : {}) } };
    ok(await tested.api.send('PATCH', tested.path('scale-patch', 'status'), { body: status, ...merge }));
    const { status: shown } = await scaled('scale-patch');
    assert.deepEqual(shown, { replicas: 7, selector: kind.isCustom ? 'a=b' : 'app=matrix' });
  });

  it('/scale is served as Protobuf, also for custom kinds', async () => {
    await tested.create('scale-binary');
    const { protobuf } = tested.names.mediaTypes;
    const answer = await tested.api.get(tested.path('scale-binary', 'scale'), accepting(protobuf));
    ok(answer);
    assert.equal(answer.headers['content-type'], protobuf);
  });
}

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: Json;
}

function describeOwners(tested: Tested): void {
  const { kind } = tested;

  it('an apply through /status owns the status only, also where it contains other fields', async () => {
    await tested.create('status-owner');
    const config = { ...tested.changed('status-owner', 'b'), status: { replicas: 2 } };
    const path = `${tested.path('status-owner', 'status')}?fieldManager=controller`;
    const { metadata } = ok(await tested.patch(path, config, 'apply'));
    const entry = (metadata.managedFields as readonly Entry[]).find(
      ({ manager }) => manager === 'controller',
    );
    assert.deepEqual(entry?.fieldsV1, { 'f:status': { 'f:replicas': {} } });
    assert.equal(kind.valueOf(await tested.read('status-owner')), 'initial');
  });

  it('managed fields name the subresource through which status and replicas were written', async () => {
    await tested.create('owners');
    const as = (subresource: string, manager: string): string =>
      `${tested.path('owners', subresource)}?fieldManager=${manager}`;
    ok(await tested.patch(as('', 'main'), kind.change('b')));
    ok(await tested.patch(as('status', 'stater'), { status: { replicas: 2 } }));
    ok(await tested.patch(as('scale', 'scaler'), { spec: { replicas: 3 } }));
    const { metadata } = await tested.read('owners');
    const entries = (metadata.managedFields as readonly Entry[]).map(
      ({ manager, operation, subresource = '', fieldsV1 }) => [manager, operation, subresource, fieldsV1],
    );
    const of = (manager: string): unknown => entries.find(([name]) => name === manager);
    assert.deepEqual(of('stater'), [
      'stater',
      'Update',
      'status',
      { 'f:status': kind.isCustom ? { '.': {}, 'f:replicas': {} } : { 'f:replicas': {} } },
    ]);
    assert.deepEqual(of('scaler'), ['scaler', 'Update', 'scale', { 'f:spec': { 'f:replicas': {} } }]);
    assert.equal((of('main') as readonly unknown[])[2], '');
  });
}

function describeAbsent(tested: Tested): void {
  it('paths of subresources that the kind does not have are not found', async () => {
    await tested.create('none');
    for (const subresource of ['status', 'scale', 'other']) {
      const path = tested.path('none', subresource);
      ok(await tested.api.get(path), 404);
      ok(await tested.patch(path, { status: { replicas: 1 } }), 404);
      ok(await tested.api.put(path, tested.object('none')), 404);
    }
  });

  if (tested.kind.isCustom)
    it('the status of a kind without /status is written with the object', async () => {
      const body = { ...tested.object('part'), status: { phase: 'a' } };
      const made = ok(await tested.api.post(tested.collection, body), 201);
      assert.equal(made.status.phase, 'a');
      const patched = ok(await tested.patch(tested.path('part'), { status: { phase: 'b' } }));
      assert.deepEqual([patched.status.phase, patched.metadata.generation], ['b', 2]);
    });
}
