import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Committed, type Store, StoreError } from '@orch/storage';
import { configMap, pod, RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;
const leases = '/apis/coordination.orch.io/v1/namespaces/default/leases';

describe('create', () => {
  it('sets what is the server’s, whatever the client says', async () => {
    await using api = await RegistryFixture.open();
    const { status, json } = await api.post(
      cms,
      configMap(
        'a',
        { k: 'v' },
        {
          uid: 'mine',
          creationTimestamp: '2001-01-01T00:00:00Z',
          generation: 9,
          selfLink: '/x',
          managedFields: [{}],
        },
      ),
    );
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(json), ['kind', 'apiVersion', 'metadata', 'data']);
    assert.deepEqual(Object.keys(json.metadata), [
      'name',
      'namespace',
      'uid',
      'resourceVersion',
      'creationTimestamp',
      'managedFields',
    ]);
    assert.notEqual(json.metadata.uid, 'mine');
    assert.equal(json.metadata.creationTimestamp, '2024-01-01T00:00:00Z');
    assert.deepEqual((await api.get(`${cms}/a`)).json, json);
  });

  it('makes names from generateName, 63 characters at most', async () => {
    await using api = await RegistryFixture.open();
    const base = 'x'.repeat(70);
    for (const generateName of ['web-', base]) {
      const { status, json } = await api.post(cms, { metadata: { generateName } });
      assert.equal(status, 201);
      assert.match(json.metadata.name, /^(web-|x{58})[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      assert.equal(json.metadata.generateName, generateName);
    }
    const named = await api.post(cms, { metadata: { name: 'own', generateName: 'web-' } });
    assert.equal(named.json.metadata.name, 'own');
  });

  it('tries other names when one is taken, and gives up after some', async () => {
    await using api = await RegistryFixture.open();
    const { random } = api.env;
    const draw = random.int;
    let draws = 0;
    random.int = (below) => (draws++ < 10 ? 0 : draw(below));
    assert.equal((await api.post(cms, { metadata: { generateName: 'x-' } })).json.metadata.name, 'x-bbbbb');
    assert.notEqual(
      (await api.post(cms, { metadata: { generateName: 'x-' } })).json.metadata.name,
      'x-bbbbb',
    );
    random.int = () => 0;
    const { status, json } = await api.post(cms, { metadata: { generateName: 'x-' } });
    assert.deepEqual([status, json.reason, json.details.retryAfterSeconds], [409, 'AlreadyExists', 1]);
  });

  it('takes an object without kind and apiVersion, and YAML', async () => {
    await using api = await RegistryFixture.open();
    assert.equal((await api.post(cms, { metadata: { name: 'a' } })).json.kind, 'ConfigMap');
    const yaml = 'metadata:\n  name: b\ndata:\n  mode: "0644"\n  text: |\n    two\n    lines\n';
    const { status, json } = await api.post(cms, yaml, { contentType: 'application/yaml' });
    assert.deepEqual([status, json.data], [201, { mode: '0644', text: 'two\nlines\n' }]);
  });

  it('drops the status of kinds whose status is not the client’s', async () => {
    await using api = await RegistryFixture.open();
    const { json } = await api.post(`${ns}/pods`, {
      ...pod('p'),
      status: { phase: 'Running', hostIP: '1.2.3.4' },
    });
    assert.deepEqual([json.status.phase, json.status.hostIP], ['Pending', undefined]);
    const node = await api.post('/api/v1/nodes', { metadata: { name: 'n' }, status: { phase: 'Running' } });
    assert.equal(node.json.status.phase, 'Running');
  });

  it('a dry run answers as a create and stores nothing', async () => {
    await using api = await RegistryFixture.open();
    const before = await api.model.currentRevision(new AbortController().signal);
    const { status, json } = await api.post(`${cms}?dryRun=All`, configMap('a'));
    assert.deepEqual([status, json.metadata.name, json.metadata.resourceVersion], [201, 'a', undefined]);
    assert.ok(json.metadata.uid);
    assert.equal((await api.get(`${cms}/a`)).status, 404);
    await api.post(cms, configMap('a'));
    assert.equal((await api.post(`${cms}?dryRun=All`, configMap('a'))).status, 409);
    assert.equal(await api.model.currentRevision(new AbortController().signal), before + 1);
  });

  it('objects of some kinds expire', async () => {
    await using api = await RegistryFixture.open();
    const event = {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    };
    assert.equal((await api.post(`${ns}/events`, event)).status, 201);
    await api.env.clock.advanceAsync(3_601_000);
    await api.settled();
    assert.equal((await api.get(`${ns}/events/e`)).status, 404);
  });

  it('as soon as the server is told, or never', async () => {
    const event = {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    };
    for (const [expirySeconds, status] of [
      [60, 404],
      [0, 200],
    ] as const) {
      await using api = await RegistryFixture.open({ limits: { expirySeconds } });
      await api.post(`${ns}/events`, event);
      await api.env.clock.advanceAsync(61_000);
      await api.settled();
      assert.equal((await api.get(`${ns}/events/e`)).status, status);
    }
  });
});

describe('update', () => {
  it('replaces all but what is the server’s, and counts as nothing when nothing changes', async () => {
    await using api = await RegistryFixture.open();
    const created = (await api.post(cms, configMap('a', { k: 'v' }, { labels: { a: 'b' } }))).json;
    const { status, json } = await api.put(`${cms}/a`, configMap('a', { k: 'w' }));
    assert.equal(status, 200);
    assert.deepEqual([json.data, json.metadata.labels], [{ k: 'w' }, undefined]);
    assert.deepEqual(
      [json.metadata.uid, json.metadata.creationTimestamp],
      [created.metadata.uid, created.metadata.creationTimestamp],
    );
    assert.notEqual(json.metadata.resourceVersion, created.metadata.resourceVersion);
    const same = await api.put(`${cms}/a`, json);
    assert.deepEqual(same.json, json);
    assert.deepEqual((await api.patch(`${cms}/a`, { data: { k: 'w' } })).json, json);
  });

  it('with a resourceVersion it is a comparison and a swap', async () => {
    await using api = await RegistryFixture.open();
    const first = (await api.post(cms, configMap('a'))).json;
    const second = await api.put(`${cms}/a`, { ...first, data: { k: '1' } });
    assert.equal(second.status, 200);
    const stale = await api.put(`${cms}/a`, { ...first, data: { k: '2' } });
    assert.deepEqual([stale.status, stale.json.reason], [409, 'Conflict']);
    assert.equal((await api.put(`${cms}/a`, { ...second.json, data: { k: '3' } })).status, 200);
  });

  it('the generation counts changes of the spec', async () => {
    await using api = await RegistryFixture.open();
    const rcs = `${ns}/replicationcontrollers`;
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const { json } = await api.post(rcs, {
      metadata: { name: 'r' },
      spec: { replicas: 1, selector: { a: 'b' }, template },
    });
    assert.equal(json.metadata.generation, 1);
    assert.equal(
      (await api.patch(`${rcs}/r`, { metadata: { labels: { x: 'y' } } })).json.metadata.generation,
      1,
    );
    assert.equal((await api.patch(`${rcs}/r`, { spec: { replicas: 2 } })).json.metadata.generation, 2);
    assert.equal((await api.patch(`${rcs}/r`, { metadata: { generation: 7 } })).json.metadata.generation, 2);
    assert.equal(
      (await api.patch(`${rcs}/r/status`, { status: { replicas: 1 } })).json.metadata.generation,
      2,
    );
  });

  it('creates where the kind allows it, with 201', async () => {
    await using api = await RegistryFixture.open();
    const lease = { metadata: { name: 'l' }, spec: { holderIdentity: 'a' } };
    const created = await api.put(`${leases}/l`, lease);
    assert.equal(created.status, 201);
    assert.equal((await api.put(`${leases}/l`, created.json)).status, 200);
    assert.equal(
      (await api.put(`${leases}/m`, { ...lease, metadata: { name: 'm', resourceVersion: '5' } })).status,
      404,
    );
    assert.equal((await api.put(`${cms}/m`, configMap('m'))).status, 404);
  });

  it('a name that the body leaves out is that of the path', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a'));
    assert.equal((await api.put(`${cms}/a`, { data: { k: 'v' } })).json.metadata.name, 'a');
  });

  it('status has its own path, which writes nothing else', async () => {
    await using api = await RegistryFixture.open();
    const created = (await api.post(`${ns}/pods`, pod('p'))).json;
    const main = await api.put(`${ns}/pods/p`, { ...created, status: { phase: 'Failed' } });
    assert.deepEqual(main.json.status, created.status);
    const status = await api.put(`${ns}/pods/p/status`, {
      ...created,
      spec: { ...created.spec, nodeName: 'elsewhere' },
      status: { ...created.status, phase: 'Running' },
    });
    assert.equal(status.status, 200);
    assert.deepEqual([status.json.status.phase, status.json.spec.nodeName], ['Running', undefined]);
    assert.deepEqual((await api.get(`${ns}/pods/p/status`)).json, status.json);
    assert.equal(
      (await api.patch(`${ns}/pods/p/status`, { status: { message: 'm' } })).json.status.message,
      'm',
    );
    assert.equal((await api.post(`${ns}/pods/p/status`, created)).status, 405);
  });

  it('scale shows and sets the replicas', async () => {
    await using api = await RegistryFixture.open();
    const rcs = `${ns}/replicationcontrollers`;
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await api.post(rcs, { metadata: { name: 'r' }, spec: { replicas: 2, selector: { a: 'b' }, template } });
    const shown = await api.get(`${rcs}/r/scale`);
    assert.deepEqual(
      [shown.json.kind, shown.json.apiVersion, shown.json.spec, shown.json.status],
      ['Scale', 'autoscaling/v1', { replicas: 2 }, { replicas: 0, selector: 'a=b' }],
    );
    const set = await api.put(`${rcs}/r/scale`, { ...shown.json, spec: { replicas: 5 } });
    assert.deepEqual([set.status, set.json.spec.replicas], [200, 5]);
    assert.equal((await api.get(`${rcs}/r`)).json.spec.replicas, 5);
    assert.equal((await api.put(`${rcs}/r/scale`, { ...shown.json, spec: { replicas: 6 } })).status, 409);
    const patched = await api.patch(`${rcs}/r/scale`, { spec: { replicas: 1 } });
    assert.equal(patched.json.spec.replicas, 1);
    const negative = await api.patch(`${rcs}/r/scale`, { spec: { replicas: -1 } });
    assert.deepEqual([negative.status, negative.json.details.causes[0].field], [422, 'spec.replicas']);
    assert.equal((await api.patch(`${rcs}/r/scale`, { spec: { replicas: 'x' } })).status, 422);
    assert.equal((await api.get(`${rcs}/none/scale`)).status, 404);
  });

  it('a binding assigns a pod once', async () => {
    await using api = await RegistryFixture.open();
    await api.post(`${ns}/pods`, pod('p'));
    await api.post(`${ns}/pods`, pod('q'));
    const binding = {
      metadata: { name: 'p', annotations: { by: 'me' } },
      target: { kind: 'Node', name: 'n' },
    };
    const bound = await api.post(`${ns}/pods/p/binding`, binding);
    assert.deepEqual([bound.status, bound.json.status, bound.json.code], [201, 'Success', 201]);
    const { json } = await api.get(`${ns}/pods/p`);
    assert.equal(json.spec.nodeName, 'n');
    assert.equal(json.metadata.annotations.by, 'me');
    assert.deepEqual(
      json.status.conditions.map((c: { type: string; status: string }) => [c.type, c.status]),
      [['PodScheduled', 'True']],
    );
    assert.equal((await api.post(`${ns}/bindings`, { ...binding, metadata: { name: 'q' } })).status, 201);
    assert.equal((await api.get(`${ns}/pods?fieldSelector=spec.nodeName%3Dn`)).json.items.length, 2);
    assert.equal(
      (await api.post(`${ns}/pods/q/binding`, { ...binding, metadata: { name: 'p' } })).status,
      400,
    );
    assert.equal(
      (await api.post(`${ns}/pods/q/binding`, { metadata: { name: 'q' }, target: { kind: 'Pod' } })).status,
      422,
    );
  });
});

describe('patch', () => {
  it('applies to whatever others wrote in between', async () => {
    await using first = await RegistryFixture.open();
    await using second = await RegistryFixture.open({ store: first.model, seed: 2 });
    await first.post(cms, configMap('a', { n: '0' }));
    await second.settled();
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 === 0 ? first : second).patch(`${cms}/a`, { data: { [`k${i}`]: 'v' } }),
      ),
    );
    assert.deepEqual(
      all.map(({ status }) => status),
      Array(12).fill(200),
    );
    assert.equal(Object.keys((await first.get(`${cms}/a`)).json.data).length, 13);
  });

  it('a version in the patch, or a test of it, makes it conditional', async () => {
    await using api = await RegistryFixture.open();
    const { metadata } = (await api.post(cms, configMap('a'))).json;
    assert.equal(
      (
        await api.patch(`${cms}/a`, {
          metadata: { resourceVersion: metadata.resourceVersion },
          data: { k: '1' },
        })
      ).status,
      200,
    );
    assert.equal(
      (
        await api.patch(`${cms}/a`, {
          metadata: { resourceVersion: metadata.resourceVersion },
          data: { k: '2' },
        })
      ).status,
      409,
    );
    const test = { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion };
    assert.equal((await api.patch(`${cms}/a`, [test], 'json')).status, 422);
  });

  it('cannot change the kind, nor move an object', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a'));
    for (const change of [{ kind: 'Secret' }, { apiVersion: 'v2' }, { metadata: { namespace: 'other' } }]) {
      assert.equal((await api.patch(`${cms}/a`, change)).status, 400);
    }
    assert.equal((await api.patch(`${cms}/a`, { metadata: { uid: 'x' } })).status, 409);
  });

  it('has bounds', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a', { k: 'v' }));
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/k', value: 'v' }));
    assert.equal((await api.patch(`${cms}/a`, many, 'json')).status, 413);
    assert.equal((await api.patch(`${cms}/a`, '{"a":', 'merge')).status, 400);
    assert.equal((await api.patch(`${cms}/a`, '', 'merge')).status, 400);
  });
});

/** A watch of the store that brings nothing until it is over. */
async function* silentWatch(...[, , signal]: Parameters<Store['watch']>): ReturnType<Store['watch']> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

describe('a cache that is behind', () => {
  it('refuses nothing, and keeps nothing, by a state that is no longer current', async () => {
    await using writer = await RegistryFixture.open();
    // A replica whose watch brings nothing: it knows only what it read at the start.
    await writer.post(cms, configMap('old', { k: '0' }));
    await using behind = await RegistryFixture.open({
      store: writer.model,
      seed: 2,
      wrap: (inner) =>
        new Proxy(inner, {
          get(target, name) {
            if (name === 'watch') return silentWatch;
            const member = Reflect.get(target, name);
            return typeof member === 'function' ? member.bind(target) : member;
          },
        }),
    });
    const { json } = await writer.patch(`${cms}/old`, { data: { k: '1' } });
    await writer.post(cms, configMap('new'));
    // Set back to what the stale cache has: no change by its knowledge, but one in truth.
    assert.equal((await behind.patch(`${cms}/old`, { data: { k: '0' } })).json.data.k, '0');
    assert.equal((await behind.put(`${cms}/new`, configMap('new', { k: 'v' }))).status, 200);
    assert.equal(
      (await behind.delete(`${cms}/old`, { preconditions: { uid: json.metadata.uid } })).status,
      200,
    );
    assert.equal((await behind.delete(`${cms}/old`)).status, 404);
    const latest = (await writer.get(`${cms}/new`)).json;
    assert.equal((await behind.put(`${cms}/new`, { ...latest, data: { k: 'w' } })).status, 200);
  });
});

describe('a store that fails', () => {
  const failing =
    (code: 'outcomeUnknown' | 'unavailable' | 'tooLarge') =>
    (inner: Store): Store => {
      const commit = async (...[write, signal]: Parameters<Store['commit']>): Promise<Committed> => {
        if (write.key.includes('/configmaps/')) throw new StoreError(code, 'the store said so');
        return inner.commit(write, signal);
      };
      return new Proxy(inner, {
        get(target, name) {
          if (name === 'commit') return commit;
          const member = Reflect.get(target, name);
          return typeof member === 'function' ? member.bind(target) : member;
        },
      });
    };
  for (const [code, status, retryAfter, message] of [
    ['outcomeUnknown', 504, undefined, /unknown whether the request took effect/],
    ['unavailable', 503, '1', /storage is unavailable/],
    ['tooLarge', 413, undefined, /too large/],
  ] as const) {
    it(`${code} is ${status}, and Retry-After is ${retryAfter ?? 'absent'}`, async () => {
      await using api = await RegistryFixture.open({ wrap: failing(code) });
      const answer = await api.post(cms, configMap('a'));
      assert.equal(answer.status, status);
      assert.match(answer.json.message, message);
      assert.equal(answer.headers['Retry-After'], retryAfter);
      assert.equal(
        answer.json.details?.retryAfterSeconds,
        retryAfter === undefined ? undefined : Number(retryAfter),
      );
    });
  }
});
