import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { convertGate, GATE_GROUP, gate1, gate2, gatesPath } from '../testing/gate-definition.ts';
import { Gates, ok } from '../testing/gates.ts';
import { reviewAnswer, sendJson } from '../testing/webhook-server.ts';

describe('objects of a definition with a conversion webhook', () => {
  it('objects of a definition with a conversion webhook are written in one version and read in the other', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    const created = ok(await api.post(gatesPath('v1'), gate1('a', 'h', 81)), 201);
    assert.deepEqual(created.json.spec, { host: 'h', port: 81 });
    assert.equal(created.json.apiVersion, `${GATE_GROUP}/v1`);
    const stored = ok(await api.get(gatesPath('v2', 'a')));
    assert.deepEqual(stored.json.spec, { address: 'h:81', tier: 'usual' });
    const read = ok(await api.get(gatesPath('v1', 'a')));
    assert.deepEqual(read.json.spec, { host: 'h', port: 81 });
    assert.equal(read.json.metadata.resourceVersion, stored.json.metadata.resourceVersion);
  });

  it('objects of a definition with a conversion webhook are validated and defaulted by the schema of the version that is written', async () => {
    await using gates = await Gates.open();
    const refused = await gates.api.post(gatesPath('v1'), gate1('a', 'h', 0));
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(
      refused.json.details.causes.map(({ field }: { field: string }) => field),
      ['spec.port'],
    );
    assert.equal(ok(await gates.api.get(gatesPath('v2'))).json.items.length, 0);
  });

  it('objects of a definition with a conversion webhook are replaced, patched and applied through the version that is not stored', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    const created = ok(await api.post(gatesPath('v2'), gate2('a', 'h:80')), 201);
    assert.equal(created.json.metadata.generation, 1);
    const read = ok(await api.get(gatesPath('v1', 'a')));
    const replaced = ok(await api.put(gatesPath('v1', 'a'), { ...read.json, spec: { host: 'i', port: 81 } }));
    assert.deepEqual([replaced.json.spec, replaced.json.metadata.generation], [{ host: 'i', port: 81 }, 2]);
    const merged = ok(await api.patch(gatesPath('v1', 'a'), { spec: { port: 82 } }));
    assert.deepEqual(merged.json.spec, { host: 'i', port: 82 });
    const patched = ok(
      await api.patch(
        gatesPath('v1', 'a'),
        [
          { op: 'test', path: '/spec/host', value: 'i' },
          { op: 'replace', path: '/spec/host', value: 'j' },
        ],
        'json',
      ),
    );
    assert.deepEqual(patched.json.spec, { host: 'j', port: 82 });
    const applied = ok(
      await api.send('PATCH', `${gatesPath('v1', 'b')}?fieldManager=me`, {
        body: JSON.stringify(gate1('b', 'k', 90)),
        contentType: 'application/apply-patch+yaml',
      }),
      201,
    );
    assert.deepEqual(applied.json.spec, { host: 'k', port: 90 });
    const again = ok(
      await api.send('PATCH', `${gatesPath('v1', 'b')}?fieldManager=me`, {
        body: JSON.stringify(gate1('b', 'k', 91)),
        contentType: 'application/apply-patch+yaml',
      }),
    );
    assert.deepEqual(again.json.spec, { host: 'k', port: 91 });
    assert.equal(ok(await api.get(gatesPath('v2', 'a'))).json.spec.address, 'j:82');
    assert.equal(ok(await api.get(gatesPath('v2', 'b'))).json.spec.address, 'k:91');
  });

  it('objects of a definition with a conversion webhook keep their version when a stale resourceVersion is sent through the other version: 409', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    const created = ok(await api.post(gatesPath('v1'), gate1('a')), 201);
    ok(await api.patch(gatesPath('v2', 'a'), { spec: { tier: 'high' } }));
    const stale = await api.put(gatesPath('v1', 'a'), { ...created.json, spec: { host: 'x', port: 1 } });
    assert.equal(stale.status, 409, stale.text);
  });

  it('objects of a definition with a conversion webhook have owners of fields in each version, and an apply conflicts with an owner in the other version', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    const apply = (version: string, manager: string, body: object, force = false) =>
      api.send('PATCH', `${gatesPath(version, 'a')}?fieldManager=${manager}${force ? '&force=true' : ''}`, {
        body: JSON.stringify(body),
        contentType: 'application/apply-patch+yaml',
      });
    ok(await apply('v1', 'first', gate1('a', 'h', 80)), 201);
    const shared = ok(await apply('v2', 'second', gate2('a', 'h:80')));
    const entries = shared.json.metadata.managedFields.map(
      ({ manager, apiVersion }: Record<string, string>) => `${manager} ${apiVersion}`,
    );
    assert.deepEqual(entries.toSorted(), [`first ${GATE_GROUP}/v1`, `second ${GATE_GROUP}/v2`]);
    const conflict = await apply('v2', 'second', gate2('a', 'h:81'));
    assert.equal(conflict.status, 409, conflict.text);
    ok(await apply('v2', 'second', gate2('a', 'h:81'), true));
    assert.deepEqual(ok(await api.get(gatesPath('v1', 'a'))).json.spec, { host: 'h', port: 81 });
  });

  it('objects of a definition with a conversion webhook have their status written through either version, apart from the rest', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    const created = ok(await api.post(gatesPath('v1'), { ...gate1('a'), status: { phase: 'Sent' } }), 201);
    assert.equal(created.json.status, undefined);
    const written = ok(
      await api.put(gatesPath('v1', 'a', '/status'), {
        ...created.json,
        spec: { host: 'other', port: 1 },
        status: { phase: 'Open' },
      }),
    );
    assert.deepEqual([written.json.spec.host, written.json.status], ['a.example', { phase: 'Open' }]);
    assert.deepEqual(ok(await api.get(gatesPath('v2', 'a', '/status'))).json.status, { state: 'Open' });
    ok(await api.patch(gatesPath('v2', 'a', '/status'), { status: { size: 3 } }));
    assert.deepEqual(ok(await api.get(gatesPath('v1', 'a'))).json.status, { phase: 'Open', replicas: 3 });
  });

  it('objects of a definition with a conversion webhook are scaled at the path of the version of the request', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    ok(await api.post(gatesPath('v2'), { ...gate2('a'), spec: { address: 'h:1', size: { count: 2 } } }), 201);
    for (const version of ['v1', 'v2']) {
      const scale = ok(await api.get(gatesPath(version, 'a', '/scale')));
      assert.deepEqual(scale.json.spec, { replicas: 2 });
    }
    const put = await api.get(gatesPath('v1', 'a', '/scale'));
    assert.deepEqual(
      ok(await api.put(gatesPath('v1', 'a', '/scale'), { ...put.json, spec: { replicas: 5 } })).json.spec,
      { replicas: 5 },
    );
    assert.equal(ok(await api.get(gatesPath('v2', 'a'))).json.spec.size.count, 5);
    ok(await api.patch(gatesPath('v1', 'a', '/scale'), { spec: { replicas: 6 } }));
    assert.equal(ok(await api.get(gatesPath('v1', 'a'))).json.spec.replicas, 6);
  });

  it('objects of a definition with a conversion webhook are shown as tables with the columns of the version, and as metadata with its annotations', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    ok(await api.post(gatesPath('v2'), gate2('a', 'h:1')), 201);
    const table = (version: string, name = '') =>
      api.get(gatesPath(version, name), { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' });
    for (const name of ['', 'a']) {
      assert.deepEqual(ok(await table('v1', name)).json.rows[0].cells, ['a', 'h']);
      assert.deepEqual(ok(await table('v2', name)).json.rows[0].cells, ['a', 'h:1']);
    }
    const partial = (version: string) =>
      api.get(gatesPath(version), {
        accept: 'application/json;as=PartialObjectMetadataList;g=meta.orch.io;v=v1',
      });
    const [first] = ok(await partial('v1')).json.items;
    assert.deepEqual(
      [first.kind, first.metadata.annotations],
      ['PartialObjectMetadata', { 'net.example.com/tier': 'usual' }],
    );
    assert.equal(ok(await partial('v2')).json.items[0].metadata.annotations, undefined);
  });

  it('objects of a definition with a conversion webhook reach watches of the other version in their order, from the initial state to deletion', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    for (const name of ['a', 'b']) ok(await api.post(gatesPath('v2'), gate2(name, `${name}:1`)), 201);
    const watch = await api.watch(
      `${gatesPath('v1')}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    await until(async () => watch.events.length >= 3, 'the initial events came');
    for (let port = 2; port < 12; port++)
      ok(await api.patch(gatesPath('v2', 'a'), { spec: { address: `a:${port}` } }));
    ok(await api.delete(gatesPath('v2', 'b')));
    await until(async () => watch.events.length >= 14, 'all events came');
    const seen = watch.events.map(
      ({ type, object }) => `${type} ${object.metadata.name ?? ''} ${object.spec?.port ?? ''}`,
    );
    assert.deepEqual(seen, [
      'ADDED a 1',
      'ADDED b 1',
      'BOOKMARK  ',
      ...Array.from({ length: 10 }, (_, i) => `MODIFIED a ${i + 2}`),
      'DELETED b 1',
    ]);
    assert.ok(watch.events.every(({ object }) => object.apiVersion === `${GATE_GROUP}/v1`));
    watch.stop();
    await watch.ended;
  });

  it('objects of a definition with a conversion webhook are converted once for all watches of a version', async () => {
    await using gates = await Gates.open();
    const { api, webhook } = gates;
    const watches = await Promise.all(
      Array.from({ length: 20 }, () => api.watch(`${gatesPath('v1')}?watch=true`)),
    );
    ok(await api.post(gatesPath('v2'), gate2('a')), 201);
    await until(async () => watches.every(({ events }) => events.length === 1), 'every watch has the event');
    assert.equal(webhook.objectsSeen, 1);
    for (const watch of watches) watch.stop();
  });

  it('objects of a definition with a conversion webhook are deleted through the other version, alone and as a collection', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    for (const name of ['a', 'b', 'c']) ok(await api.post(gatesPath('v2'), gate2(name)), 201);
    ok(await api.delete(gatesPath('v1', 'a')));
    const removed = ok(await api.delete(gatesPath('v1')));
    assert.deepEqual(
      removed.json.items.map(({ spec }: { spec: object }) => spec),
      [1, 2].map(() => ({ host: 'a.example', port: 80 })),
    );
    assert.equal(ok(await api.get(gatesPath('v2'))).json.items.length, 0);
  });

  it('objects of a definition with a conversion webhook are selected by fields of the storage version only; others are refused', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    for (const name of ['a', 'b']) ok(await api.post(gatesPath('v2'), gate2(name, `${name}:1`)), 201);
    const selected = ok(await api.get(`${gatesPath('v2')}?fieldSelector=spec.address%3Db:1`));
    assert.deepEqual(
      selected.json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
      ['b'],
    );
    assert.equal((await api.get(`${gatesPath('v1')}?fieldSelector=spec.host%3Db`)).status, 400);
  });

  it('objects of a definition with a conversion webhook are dry run through the other version without being written', async () => {
    await using gates = await Gates.open();
    const { api } = gates;
    const dry = ok(await api.post(`${gatesPath('v1')}?dryRun=All`, gate1('a', 'h', 7)), 201);
    assert.deepEqual(dry.json.spec, { host: 'h', port: 7 });
    assert.equal((await api.get(gatesPath('v1', 'a'))).status, 404);
  });

  it('objects of a definition with a conversion webhook are sent without what is not stored, and keep metadata that the webhook changes', async () => {
    await using gates = await Gates.open();
    const { api, webhook } = gates;
    webhook.answer = (review, response) =>
      sendJson(
        response,
        reviewAnswer(review, (object, to) => {
          const converted = convertGate(object, to);
          const metadata = {
            ...converted.metadata,
            labels: { converted: 'yes' },
            finalizers: ['example.com/none'],
            generation: 99,
            creationTimestamp: null,
          };
          return { ...converted, metadata };
        }),
      );
    ok(await api.post(gatesPath('v2'), gate2('a', 'h:1', { labels: { own: 'yes' } })), 201);
    const { metadata } = ok(await api.get(gatesPath('v1', 'a'))).json;
    assert.deepEqual(
      [metadata.labels, metadata.finalizers, metadata.generation, typeof metadata.creationTimestamp],
      [{ converted: 'yes' }, undefined, 1, 'string'],
    );
    for (const { request } of webhook.reviews)
      for (const object of request.objects)
        assert.deepEqual(
          [object.metadata.managedFields, object.metadata.resourceVersion],
          [undefined, undefined],
        );
  });
});

describe('lists of a version that a webhook converts', () => {
  const COUNT = 10_000;

  it('lists of 10,000 objects are converted in pages once, and cost no request afterwards', async () => {
    await using gates = await Gates.open();
    const { api, webhook } = gates;
    const writers = Array.from({ length: 50 }, async (_, writer) => {
      for (let i = writer; i < COUNT; i += 50)
        ok(await api.post(gatesPath('v2'), gate2(`g${i}`, `h:${i}`)), 201);
    });
    await Promise.all(writers);
    await api.settled();
    assert.equal(webhook.reviews.length, 0);
    const first = ok(await api.get(gatesPath('v1')));
    assert.equal(first.json.items.length, COUNT);
    for (const { metadata, spec } of first.json.items) assert.equal(metadata.name, `g${spec.port}`);
    const requests = webhook.reviews.length;
    assert.ok(requests <= COUNT / 500, `${requests} requests`);
    assert.equal(webhook.objectsSeen, COUNT);
    const second = ok(await api.get(gatesPath('v1')));
    assert.equal(second.text, first.text);
    const page = ok(await api.get(`${gatesPath('v1')}?limit=500`));
    assert.equal(page.json.items.length, 500);
    ok(await api.get(gatesPath('v1'), { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' }));
    assert.equal(webhook.reviews.length, requests);
    ok(await api.patch(gatesPath('v2', 'g7'), { spec: { address: 'h:70007' } }));
    const changed = ok(await api.get(gatesPath('v1')));
    assert.equal(
      changed.json.items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === 'g7').spec
        .port,
      70_007,
    );
    assert.equal(webhook.objectsSeen, COUNT + 1);
  });
});
