import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeYaml } from '@orch/machinery/yaml';
import { contentTypes, NAMESPACE, namesIn, ok, refused, type Tested } from './tested.ts';
import type { Json } from './tested-kinds.ts';

const patches = (value: string, { kind }: Tested): Readonly<Record<'json' | 'merge' | 'strategic', Json>> => {
  const change = kind.change(value);
  const path: string[] = [];
  let end: Json = change;
  while (typeof end === 'object') {
    const [key = ''] = Object.keys(end);
    path.push(key);
    end = end[key];
  }
  return { json: [{ op: 'add', path: `/${path.join('/')}`, value }], merge: change, strategic: change };
};

/** Creates, updates, patches and deletes in every way that clients have. */
export function describeWrites(tested: Tested): void {
  describe('writes of objects', () => {
    describeCreate(tested);
    describeUpdate(tested);
    describePatch(tested);
    describeDelete(tested);
    describeDeleteCollection(tested);
  });
}

function describeCreate(tested: Tested): void {
  const { kind } = tested;

  it('create sets the metadata of the server, and refuses a second object of the name', async () => {
    const body = tested.changed('created', 'a', { uid: 'mine', generation: 7 });
    const made = ok(await tested.api.post(tested.collection, body), 201);
    assert.deepEqual([made.kind, made.apiVersion, kind.valueOf(made)], [kind.kind, tested.apiVersion, 'a']);
    assert.deepEqual([made.metadata.generation, made.metadata.uid === 'mine'], [1, false]);
    assert.equal(made.metadata.namespace, kind.namespaced ? NAMESPACE : undefined);
    assert.deepEqual(await tested.read('created'), made);
    const again = refused(await tested.api.post(tested.collection, body), 409, 'AlreadyExists');
    assert.deepEqual(again.details, { name: 'created', group: kind.group, kind: kind.resource });
  });

  it('create generates names, and takes kind and version from the path where the body has none', async () => {
    const { apiVersion: _, kind: _kind, ...body } = tested.object('');
    const made = ok(
      await tested.api.post(tested.collection, { ...body, metadata: { generateName: 'gen-' } }),
      201,
    );
    assert.match(made.metadata.name, /^gen-[a-z0-9]{5}$/);
    assert.deepEqual([made.kind, made.apiVersion], [kind.kind, tested.apiVersion]);
  });

  it('create of an object of another kind, version, namespace or format of name is refused', async () => {
    for (const [body, code, reason] of [
      [{ ...tested.object('a'), kind: 'Other' }, 400, 'BadRequest'],
      [{ ...tested.object('a'), apiVersion: `${kind.group}/v7` }, 400, 'BadRequest'],
      [tested.object('Upper'), 422, 'Invalid'],
      [tested.object('a', { labels: { 'a b': '' } }), 422, 'Invalid'],
      [tested.object('a', { resourceVersion: '5' }), 400, 'BadRequest'],
      ...(kind.namespaced ? [[tested.object('a', { namespace: 'other' }), 400, 'BadRequest'] as const] : []),
    ] as const)
      refused(await tested.api.post(tested.collection, body), code, reason);
  });

  it('create accepts bodies in YAML', async () => {
    const body = encodeYaml(tested.changed('yaml', 'a'));
    const made = ok(
      await tested.api.post(tested.collection, String(body), { contentType: 'application/yaml' }),
      201,
    );
    assert.equal(kind.valueOf(made), 'a');
  });

  it('requests outside the scope of the kind are refused', async () => {
    if (!kind.namespaced) {
      const elsewhere = `/apis/${tested.apiVersion}/namespaces/${NAMESPACE}/${kind.resource}`;
      for (const answer of [
        await tested.api.get(elsewhere),
        await tested.api.post(elsewhere, tested.object('a')),
        await tested.api.get(`${elsewhere}/a`),
      ])
        ok(answer, 404);
      return;
    }
    const missing = tested.collection.replace(`/namespaces/${NAMESPACE}/`, '/namespaces/missing/');
    refused(await tested.api.post(missing, tested.object('a')), 404, 'NotFound');
    assert.deepEqual(ok(await tested.api.get(missing)).items, []);
    ok(await tested.api.post(tested.all, tested.object('a')), 405);
  });

  it('a dry run of a create is answered like a create and stores nothing', async () => {
    const dry = ok(await tested.api.post(`${tested.collection}?dryRun=All`, tested.changed('dry', 'a')), 201);
    assert.deepEqual([dry.metadata.name, kind.valueOf(dry)], ['dry', 'a']);
    refused(await tested.api.get(tested.path('dry')), 404, 'NotFound');
    refused(await tested.api.post(`${tested.collection}?dryRun=Some`, tested.object('dry')), 422, 'Invalid');
  });
}

function describeUpdate(tested: Tested): void {
  const { kind } = tested;

  it('update with an older resourceVersion or another uid is refused with a conflict', async () => {
    const made = await tested.create('cas');
    const { resourceVersion } = made.metadata;
    const put = (value: string, metadata: object) =>
      tested.api.put(tested.path('cas'), tested.changed('cas', value, metadata));
    const second = ok(await put('b', { resourceVersion }));
    assert.deepEqual([kind.valueOf(second), second.metadata.uid], ['b', made.metadata.uid]);
    assert.notEqual(second.metadata.resourceVersion, resourceVersion);
    refused(await put('c', { resourceVersion }), 409, 'Conflict');
    refused(
      await put('c', { resourceVersion: second.metadata.resourceVersion, uid: 'other' }),
      409,
      'Conflict',
    );
    refused(await tested.api.put(tested.path('cas'), tested.changed('other', 'b')), 400, 'BadRequest');
  });

  it('update without a resourceVersion is accepted for built-in kinds that allow it only', async () => {
    await tested.create('unconditional');
    const answer = await tested.api.put(tested.path('unconditional'), tested.changed('unconditional', 'b'));
    if (kind.isCustom) {
      const { details } = refused(answer, 422, 'Invalid');
      assert.equal(details.causes[0].field, 'metadata.resourceVersion');
    } else if (kind.hasSubresources) assert.equal(kind.valueOf(ok(answer)), 'b');
    refused(await tested.api.put(tested.path('absent'), tested.changed('absent', 'b')), 404, 'NotFound');
  });

  it('an update without changes keeps the resourceVersion, also where it only repeats defaults', async () => {
    const made = await tested.create('same');
    const put = ok(await tested.api.put(tested.path('same'), made));
    assert.deepEqual(put, made);
    const patched = ok(await tested.patch(tested.path('same'), kind.change('initial')));
    assert.deepEqual(patched, made);
  });

  it('exactly one of ten concurrent updates of one resourceVersion is stored', async () => {
    const made = await tested.create('race');
    const bodies = Array.from({ length: 10 }, (_, i) => ({
      ...made,
      ...tested.changed('race', `v${i}`),
      metadata: made.metadata,
    }));
    const codes = await Promise.all(
      bodies.map(async (body) => (await tested.api.put(tested.path('race'), body)).status),
    );
    assert.deepEqual(codes.sort(), [200, ...Array(9).fill(409)]);
  });

  it('a dry run of an update is answered like an update and stores nothing', async () => {
    const made = await tested.create('dryput');
    const body = tested.changed('dryput', 'b', { resourceVersion: made.metadata.resourceVersion });
    const dry = ok(await tested.api.put(`${tested.path('dryput')}?dryRun=All`, body));
    assert.deepEqual([kind.valueOf(dry), dry.metadata.resourceVersion], ['b', made.metadata.resourceVersion]);
    assert.deepEqual(await tested.read('dryput'), made);
  });

  it('the generation counts changes of the content only', async () => {
    const { metadata } = await tested.create('gen');
    const generation = async (path: string, body: object): Promise<number> =>
      ok(await tested.patch(path, body)).metadata.generation;
    assert.equal(metadata.generation, 1);
    const path = tested.path('gen');
    // Annotations of deployments are part of their content.
    const annotations = kind.isCustom ? { a: 'b' } : {};
    assert.equal(await generation(path, { metadata: { labels: { a: 'b' }, annotations } }), 1);
    assert.equal(await generation(path, { metadata: { generation: 9 } }), 1);
    assert.equal(await generation(path, kind.change('b')), 2);
    if (kind.hasSubresources) {
      assert.equal(await generation(path, { status: { replicas: 3 } }), 2);
      assert.equal(await generation(tested.path('gen', 'status'), { status: { replicas: 3 } }), 2);
    } else if (kind.isCustom) assert.equal(await generation(path, { status: { replicas: 3 } }), 3);
  });
}

function describePatch(tested: Tested): void {
  const { kind } = tested;

  for (const type of ['json', 'merge', 'strategic'] as const) {
    if (type === 'strategic' && kind.isCustom) {
      it('a strategic merge patch is refused with 415 and the supported types', async () => {
        await tested.create('strategic');
        const answer = await tested.patch(tested.path('strategic'), kind.change('b'), 'strategic');
        const { message } = refused(answer, 415, 'UnsupportedMediaType');
        const supported = [contentTypes.json, contentTypes.merge, contentTypes.apply].join(', ');
        assert.ok(message.endsWith(`accepted media types include: ${supported}`), message);
      });
      continue;
    }
    it(`a ${type} patch changes what it names, conditionally with a resourceVersion, and not in a dry run`, async () => {
      const name = `patch-${type}`;
      const path = tested.path(name);
      const made = await tested.create(name);
      const dry = ok(await tested.patch(`${path}?dryRun=All`, patches('dry', tested)[type], type));
      assert.equal(kind.valueOf(dry), 'dry');
      assert.deepEqual(await tested.read(name), made);
      const done = ok(await tested.patch(path, patches('b', tested)[type], type));
      assert.equal(kind.valueOf(done), 'b');
      assert.deepEqual(await tested.read(name), done);
      if (type === 'json') {
        const test = [{ op: 'test', path: '/metadata/name', value: 'other' }];
        refused(await tested.patch(path, test, type), 422, 'Invalid');
      } else {
        const { resourceVersion } = made.metadata;
        refused(
          await tested.patch(path, { ...patches('c', tested)[type], metadata: { resourceVersion } }, type),
          409,
          'Conflict',
        );
      }
      refused(await tested.patch(tested.path('absent'), patches('b', tested)[type], type), 404, 'NotFound');
    });
  }

  it('a merge patch removes fields with null', async () => {
    await tested.create('null', { labels: { a: '1', b: '2' }, annotations: { a: '1' } });
    const done = ok(
      await tested.patch(tested.path('null'), { metadata: { labels: { a: null }, annotations: null } }),
    );
    assert.deepEqual([done.metadata.labels, done.metadata.annotations], [{ b: '2' }, undefined]);
  });

  it('a patch of another type is refused with 415', async () => {
    await tested.create('types');
    const options = { body: '{}', contentType: 'application/json' };
    refused(await tested.api.send('PATCH', tested.path('types'), options), 415, 'UnsupportedMediaType');
  });
}

function describeDelete(tested: Tested): void {
  it('delete removes the object, is answered with its uid, and does nothing in a dry run', async () => {
    const made = await tested.create('gone');
    ok(await tested.api.delete(`${tested.path('gone')}?dryRun=All&propagationPolicy=Background`));
    assert.deepEqual(await tested.read('gone'), made);
    const done = ok(await tested.api.delete(`${tested.path('gone')}?propagationPolicy=Background`));
    assert.deepEqual(
      [done.kind, done.status, done.details.uid, done.details.kind],
      ['Status', 'Success', made.metadata.uid, tested.kind.resource],
    );
    refused(await tested.api.get(tested.path('gone')), 404, 'NotFound');
    refused(await tested.api.delete(tested.path('gone')), 404, 'NotFound');
  });

  it('delete with preconditions is refused where they do not hold', async () => {
    const { metadata } = await tested.create('pre');
    const remove = (preconditions: object) =>
      tested.api.delete(tested.path('pre'), { body: { preconditions, propagationPolicy: 'Background' } });
    refused(await remove({ uid: 'other' }), 409, 'Conflict');
    refused(await remove({ uid: metadata.uid, resourceVersion: '1' }), 409, 'Conflict');
    ok(await remove({ uid: metadata.uid, resourceVersion: metadata.resourceVersion }));
  });

  it('delete with a propagation policy sets the finalizer of the garbage collector', async () => {
    for (const [name, propagationPolicy, finalizer, code] of [
      ['fg', 'Foreground', 'foregroundDeletion', 202],
      ['or', 'Orphan', 'orphan', 200],
    ] as const) {
      await tested.create(name);
      ok(await tested.api.delete(tested.path(name), { body: { propagationPolicy } }), code);
      const { metadata } = await tested.read(name);
      assert.deepEqual(metadata.finalizers, [finalizer]);
      assert.ok(metadata.deletionTimestamp);
      ok(await tested.patch(tested.path(name), { metadata: { finalizers: null } }));
      refused(await tested.api.get(tested.path(name)), 404, 'NotFound');
    }
    await tested.create('both');
    const body = { propagationPolicy: 'Orphan', orphanDependents: true };
    refused(await tested.api.delete(tested.path('both'), { body }), 422, 'Invalid');
    refused(
      await tested.api.delete(tested.path('both'), { body: { propagationPolicy: 'Other' } }),
      422,
      'Invalid',
    );
  });

  it('an object with finalizers remains until the last one is removed', async () => {
    const finalizers = ['a.example/x', 'b.example/y'];
    await tested.create('held', { finalizers });
    const query = 'propagationPolicy=Background';
    const going = ok(await tested.api.delete(`${tested.path('held')}?${query}`));
    assert.ok(going.metadata.deletionTimestamp);
    const more = { metadata: { finalizers: [...finalizers, 'c.example/z'] } };
    refused(await tested.patch(tested.path('held'), more), 422, 'Invalid');
    ok(await tested.patch(tested.path('held'), { metadata: { finalizers: ['b.example/y'] } }));
    assert.deepEqual((await tested.read('held')).metadata.finalizers, ['b.example/y']);
    ok(await tested.patch(tested.path('held'), { metadata: { finalizers: [] } }));
    refused(await tested.api.get(tested.path('held')), 404, 'NotFound');
  });

  it('delete options are accepted as Protobuf, as the metadata client sends them', async () => {
    await tested.create('binary');
    // An envelope with DeleteOptions whose field 4, propagationPolicy, is Orphan.
    const { protobuf } = tested.names.mediaTypes;
    const field = (number: number, bytes: Buffer): Buffer =>
      Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
    const type = Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from('DeleteOptions'))]);
    const body = Buffer.concat([
      Buffer.from([0x6b, 0x38, 0x73, 0]),
      field(1, type),
      field(2, field(4, Buffer.from('Orphan'))),
    ]);
    ok(await tested.api.delete(tested.path('binary'), { body, contentType: protobuf }));
    assert.deepEqual((await tested.read('binary')).metadata.finalizers, ['orphan']);
  });
}

function describeDeleteCollection(tested: Tested): void {
  it('deletion of a collection removes what its selectors select, and nothing in a dry run', async () => {
    for (const [name, tier] of [
      ['c1', '1'],
      ['c2', '2'],
      ['c3', '2'],
    ] as const)
      await tested.create(name, { labels: { set: 'collection', tier } });
    const left = async (): Promise<string> =>
      namesIn(ok(await tested.api.get(`${tested.collection}?labelSelector=set%3Dcollection`))).join();
    const remove = async (query: string): Promise<Json> =>
      ok(await tested.api.delete(`${tested.collection}?propagationPolicy=Background&${query}`));
    await remove('labelSelector=set%3Dcollection&dryRun=All');
    await remove('labelSelector=set%3Dother');
    assert.equal(await left(), 'c1,c2,c3');
    await remove('labelSelector=set%3Dcollection&fieldSelector=metadata.name%3Dc1');
    assert.equal(await left(), 'c2,c3');
    const removed = await remove('labelSelector=tier+in+(2),set%3Dcollection');
    assert.deepEqual([removed.kind, namesIn(removed).join()], [`${tested.kind.kind}List`, 'c2,c3']);
    assert.equal(await left(), '');
    if (tested.kind.namespaced) ok(await tested.api.delete(tested.all), 405);
  });
}
