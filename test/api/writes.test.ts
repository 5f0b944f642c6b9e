import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startEtcd } from '@orch/storage/testing';
import { type ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';
import {
  type ApiItem,
  cms,
  configMap,
  create,
  eventsUntil,
  expectCode,
  item,
  list,
  names,
  ns,
  podObject,
  pods,
  refused,
  status,
  typesOf,
  words,
} from './fixture.ts';

const namespaces = '/api/v1/namespaces';
const leases = `/apis/${words.orch.coordination}/v1/namespaces/default/leases`;
const rcs = `${ns}/replicationcontrollers`;
const jsonPatch = { contentType: 'application/json-patch+json' };
const mergePatch = { contentType: 'application/merge-patch+json' };

const controller = (name: string, replicas: number): object => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { app: name },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
  },
});

/** The life of an object (spec 2.1, 2.2, 3.1, 4.1, 4.2, 4.10), over a socket. */
for (const backend of ['embedded', 'etcd'] as const)
  describe(`writes of objects on ${backend}`, { timeout: 60_000 }, () => {
    let etcd: Awaited<ReturnType<typeof startEtcd>> | undefined;
    let server: LaunchedServer;
    let api: ApiClient;
    before(async () => {
      etcd = backend === 'etcd' ? await startEtcd() : undefined;
      server = await launchServer(etcd === undefined ? { threads: 2 } : { etcd: etcd.endpoints });
      api = server.client;
    });
    after(async () => {
      await server?.[Symbol.asyncDispose]();
      await etcd?.[Symbol.asyncDispose]();
    });

    const patch = (path: string, body: object, options = mergePatch) =>
      api.send('PATCH', path, { body, ...options });

    describe('create requests', () => {
      it('create sets uid, resourceVersion and creation time, and ignores those of the client', async () => {
        const made = await create(
          api,
          cms,
          configMap('made', { k: 'v' }, { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z' }),
        );
        assert.match(
          made.metadata.uid,
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
        assert.match(made.metadata.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        assert.notEqual(made.metadata.creationTimestamp, '2001-01-01T00:00:00Z');
        assert.deepEqual(
          [made.kind, made.apiVersion, made.metadata.namespace],
          ['ConfigMap', 'v1', 'default'],
        );
        assert.deepEqual(item(await api.get(`${cms}/made`)), made);
        refused(await api.post(cms, configMap('made')), 409, 'AlreadyExists');
      });

      it('create refuses a resourceVersion other than 0', async () => {
        refused(await api.post(cms, configMap('v5', {}, { resourceVersion: '5' })), 400, 'BadRequest');
        const made = await create(api, cms, configMap('v0', {}, { resourceVersion: '0' }));
        assert.notEqual(made.metadata.resourceVersion, '0');
      });

      it('create generates a different name from generateName each time', async () => {
        const made = await Promise.all(
          Array.from({ length: 8 }, () => create(api, cms, { metadata: { generateName: 'gen-' } })),
        );
        for (const { metadata } of made) assert.match(metadata.name, /^gen-[a-z0-9]{5}$/);
        assert.equal(new Set(made.map(({ metadata }) => metadata.name)).size, 8);
        const both = await create(api, cms, { metadata: { name: 'given', generateName: 'gen-' } });
        assert.equal(both.metadata.name, 'given');
      });

      for (const [title, path, body] of [
        ['no name', cms, { metadata: {} }],
        ['a name in capitals', cms, configMap('Caps')],
        ['a name with a slash', cms, configMap('a/b')],
        ['a name of 254 characters', cms, configMap('x'.repeat(254))],
        ['a namespace name with a dot', namespaces, { metadata: { name: 'a.b' } }],
        ['a label that is not a label', cms, configMap('lab', {}, { labels: { 'a b': '' } })],
        ['a label value of 64 characters', cms, configMap('lab', {}, { labels: { a: 'x'.repeat(64) } })],
        ['annotations of 257 KiB', cms, configMap('ann', {}, { annotations: { a: 'x'.repeat(263_000) } })],
        ['a data key that is not a key', cms, configMap('key', { 'a/b': '' })],
      ] as const) {
        it(`create with ${title} is answered with 422 and the field`, async () => {
          const { details } = refused(await api.post(path, body), 422, 'Invalid');
          assert.match(details?.causes?.[0]?.field ?? '', /^(metadata\.|data)/);
        });
      }

      it('a dry-run create is answered like a create and stores nothing', async () => {
        const answer = item(expectCode(201, await api.post(`${cms}?dryRun=All`, configMap('dry'))));
        assert.equal(answer.metadata.name, 'dry');
        refused(await api.get(`${cms}/dry`), 404, 'NotFound');
        refused(await api.post(`${cms}?dryRun=Some`, configMap('dry')), 422, 'Invalid', [
          'FieldValueNotSupported',
        ]);
      });

      it('create sets default values of fields', async () => {
        const { spec, status: state } = await create(api, pods, podObject('defaults'));
        assert.deepEqual(
          [
            spec['restartPolicy'],
            spec['dnsPolicy'],
            spec['terminationGracePeriodSeconds'],
            spec['schedulerName'],
          ],
          ['Always', 'ClusterFirst', 30, 'default-scheduler'],
        );
        assert.equal(state['phase'], 'Pending');
      });
    });

    describe('update requests', () => {
      it('update with a resourceVersion is conditional, without one it replaces the object', async () => {
        const made = await create(api, cms, configMap('cas'));
        const at = (resourceVersion: string | undefined, k: string): object =>
          configMap('cas', { k }, resourceVersion === undefined ? {} : { resourceVersion });
        const second = item(
          expectCode(200, await api.put(`${cms}/cas`, at(made.metadata.resourceVersion, '1'))),
        );
        assert.notEqual(second.metadata.resourceVersion, made.metadata.resourceVersion);
        assert.equal(second.metadata.uid, made.metadata.uid);
        const stale = refused(
          await api.put(`${cms}/cas`, at(made.metadata.resourceVersion, '2')),
          409,
          'Conflict',
        );
        assert.equal(stale.details?.name, 'cas');
        const third = item(expectCode(200, await api.put(`${cms}/cas`, at(undefined, '3'))));
        assert.deepEqual(third.data, { k: '3' });
        refused(await api.put(`${cms}/cas`, configMap('cas', {}, { uid: 'other' })), 409, 'Conflict');
      });

      it('exactly one of ten concurrent updates of one resourceVersion succeeds', async () => {
        const { resourceVersion } = (await create(api, cms, configMap('race'))).metadata;
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, i) =>
            api.put(`${cms}/race`, configMap('race', { i: String(i) }, { resourceVersion })),
          ),
        );
        assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, ...Array(9).fill(409)]);
      });

      it('ten concurrent patches all take effect', async () => {
        await create(api, cms, configMap('merge'));
        await Promise.all(
          Array.from({ length: 10 }, async (_, i) =>
            expectCode(200, await patch(`${cms}/merge`, { data: { [`k${i}`]: 'v' } })),
          ),
        );
        assert.equal(Object.keys(item(await api.get(`${cms}/merge`)).data ?? {}).length, 10);
      });

      it('an update without changes creates no new resourceVersion and no event', async () => {
        const made = await create(api, cms, configMap('same', { k: 'v' }));
        const events = await eventsUntil(
          api,
          `${cms}?watch=1&resourceVersion=${made.metadata.resourceVersion}&fieldSelector=metadata.name%3Dsame`,
          (seen) => seen.length === 1,
          async () => {
            const again = item(await api.put(`${cms}/same`, configMap('same', { k: 'v' })));
            assert.equal(again.metadata.resourceVersion, made.metadata.resourceVersion);
            const patched = item(await patch(`${cms}/same`, { data: { k: 'v' } }));
            assert.equal(patched.metadata.resourceVersion, made.metadata.resourceVersion);
            await api.delete(`${cms}/same`);
          },
        );
        assert.deepEqual(typesOf(events), ['DELETED same']);
      });

      it('the generation increases with changes of the spec only', async () => {
        const made = await create(api, rcs, controller('gen', 1));
        assert.equal(made.metadata.generation, 1);
        const generation = async (path: string, body: object): Promise<number | undefined> =>
          item(expectCode(200, await patch(path, body))).metadata.generation;
        assert.equal(await generation(`${rcs}/gen`, { metadata: { labels: { a: 'b' } } }), 1);
        assert.equal(await generation(`${rcs}/gen/status`, { status: { replicas: 1 } }), 1);
        assert.equal(await generation(`${rcs}/gen`, { spec: { replicas: 2 } }), 2);
        assert.equal(await generation(`${rcs}/gen`, { metadata: { generation: 7 } }), 2);
      });

      it('update of a missing object creates it with 201 where the kind allows it, else it is answered with 404', async () => {
        expectCode(201, await api.put(`${leases}/new`, { metadata: { name: 'new' }, spec: {} }));
        expectCode(201, await api.put(`${ns}/endpoints/new`, { metadata: { name: 'new' } }));
        refused(await api.put(`${cms}/new`, configMap('new')), 404, 'NotFound');
        refused(await api.put(`${leases}/new`, { metadata: { name: 'new' }, spec: {} }), 422, 'Invalid', [
          'FieldValueInvalid',
        ]);
      });

      it('an update of an immutable field is answered with 422 and the field', async () => {
        await create(api, cms, { ...configMap('fixed', { k: 'v' }), immutable: true });
        const { details } = refused(await patch(`${cms}/fixed`, { data: { k: 'w' } }), 422, 'Invalid');
        assert.deepEqual(
          details?.causes?.map(({ reason, field }) => [reason, field]),
          [['FieldValueForbidden', 'data']],
        );
      });
    });

    describe('patch requests', () => {
      it('a JSON patch tests and changes atomically', async () => {
        const path = `${cms}/jp`;
        await create(api, cms, configMap('jp', { k: 'v' }));
        const done = await patch(
          path,
          [
            { op: 'test', path: '/data/k', value: 'v' },
            { op: 'add', path: '/metadata/labels', value: { 'x.example/y': '1' } },
            { op: 'copy', from: '/data/k', path: '/data/l' },
            { op: 'move', from: '/data/k', path: '/data/m' },
            { op: 'replace', path: '/metadata/labels/x.example~1y', value: '2' },
          ],
          jsonPatch,
        );
        assert.deepEqual(item(expectCode(200, done)).data, { l: 'v', m: 'v' });
        assert.deepEqual(item(done).metadata.labels, { 'x.example/y': '2' });
        refused(await patch(path, [{ op: 'test', path: '/data/l', value: 'x' }], jsonPatch), 422, 'Invalid');
      });

      it('a merge patch deletes with null, replaces lists, and keeps other fields', async () => {
        await create(api, pods, podObject('mp', { labels: { a: '1', b: '2' } }));
        const done = item(
          expectCode(200, await patch(`${pods}/mp`, { metadata: { labels: { a: null, c: '3' } } })),
        );
        assert.deepEqual(done.metadata.labels, { b: '2', c: '3' });
        assert.ok(Array.isArray(done.spec['containers']));
      });

      it('a patch with a resourceVersion is conditional', async () => {
        const { resourceVersion } = (await create(api, cms, configMap('pc'))).metadata;
        const conditional = { metadata: { resourceVersion }, data: { k: '1' } };
        expectCode(200, await patch(`${cms}/pc`, conditional));
        refused(await patch(`${cms}/pc`, { ...conditional, data: { k: '2' } }), 409, 'Conflict');
      });

      it('an unsupported patch type is answered with 415 and the supported types, regardless of the options', async () => {
        for (const contentType of ['application/json', 'application/apply-patch+json', 'text/plain']) {
          const answer = await patch(`${cms}/pc?force=true`, {}, { contentType });
          const { message } = refused(answer, 415, 'UnsupportedMediaType');
          assert.match(message, /application\/merge-patch\+json/);
        }
      });
    });

    describe('delete requests', () => {
      it('delete without finalizers removes the object immediately and frees its name', async () => {
        const made = await create(api, cms, configMap('gone'));
        const done = status(expectCode(200, await api.delete(`${cms}/gone`)));
        assert.deepEqual(
          [done.kind, done.status, done.details?.name, done.details?.uid],
          ['Status', 'Success', 'gone', made.metadata.uid],
        );
        refused(await api.get(`${cms}/gone`), 404, 'NotFound');
        const other = await create(api, cms, configMap('gone'));
        assert.notEqual(other.metadata.uid, made.metadata.uid);
      });

      it('delete of an object with finalizers marks it until the last finalizer is removed', async () => {
        const finalizers = ['a.example/x', 'b.example/y'];
        await create(api, cms, configMap('fin', {}, { finalizers }));
        const going = item(expectCode(200, await api.delete(`${cms}/fin`)));
        assert.ok(going.metadata.deletionTimestamp);
        assert.equal(
          item(await api.delete(`${cms}/fin`)).metadata.deletionTimestamp,
          going.metadata.deletionTimestamp,
          'the first one counts',
        );
        refused(
          await patch(`${cms}/fin`, { metadata: { finalizers: [...finalizers, 'c.example/z'] } }),
          422,
          'Invalid',
          ['FieldValueForbidden'],
        );
        const kept = item(await patch(`${cms}/fin`, { metadata: { deletionTimestamp: null } }));
        assert.ok(kept.metadata.deletionTimestamp, 'there is no way back');
        expectCode(200, await patch(`${cms}/fin`, { metadata: { finalizers: ['a.example/x'] } }));
        expectCode(200, await api.get(`${cms}/fin`));
        expectCode(200, await patch(`${cms}/fin`, { metadata: { finalizers: null } }));
        refused(await api.get(`${cms}/fin`), 404, 'NotFound');
      });

      it('foreground and orphan deletion set their finalizer and wait for the garbage collector', async () => {
        for (const [name, propagationPolicy, finalizer] of [
          ['fg', 'Foreground', 'foregroundDeletion'],
          ['or', 'Orphan', 'orphan'],
        ] as const) {
          await create(api, cms, configMap(name));
          const answer = await api.send('DELETE', `${cms}/${name}`, { body: { propagationPolicy } });
          const going = item(expectCode(propagationPolicy === 'Foreground' ? 202 : 200, answer));
          assert.deepEqual(going.metadata.finalizers, [finalizer]);
          await patch(`${cms}/${name}`, { metadata: { finalizers: null } });
          refused(await api.get(`${cms}/${name}`), 404, 'NotFound');
        }
      });

      it('delete reads its options from the body or the query', async () => {
        await create(api, cms, configMap('opt'));
        const going = item(expectCode(202, await api.delete(`${cms}/opt?propagationPolicy=Foreground`)));
        assert.deepEqual(going.metadata.finalizers, ['foregroundDeletion']);
        refused(await api.delete(`${cms}/opt?propagationPolicy=Sideways`), 422, 'Invalid');
        expectCode(200, await api.delete(`${cms}/made?dryRun=All`));
        expectCode(200, await api.get(`${cms}/made`));
      });

      it('delete with unmet preconditions is answered with 409', async () => {
        const { uid, resourceVersion } = (await create(api, cms, configMap('pre'))).metadata;
        const remove = (preconditions: object) =>
          api.send('DELETE', `${cms}/pre`, {
            body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions },
          });
        refused(await remove({ uid: 'other' }), 409, 'Conflict');
        refused(await remove({ uid, resourceVersion: '1' }), 409, 'Conflict');
        expectCode(200, await remove({ uid, resourceVersion }));
      });

      it('delete gives a scheduled pod its grace period, which a second delete can shorten to end it', async () => {
        await create(
          api,
          pods,
          podObject('grace', {}, { nodeName: 'n1', terminationGracePeriodSeconds: 45 }),
        );
        const seconds = async (body: object): Promise<number | undefined> =>
          item(expectCode(200, await api.send('DELETE', `${pods}/grace`, { body }))).metadata
            .deletionGracePeriodSeconds;
        assert.equal(await seconds({}), 45);
        assert.equal(await seconds({ gracePeriodSeconds: 60 }), 45, 'never longer');
        assert.equal(await seconds({ gracePeriodSeconds: 10 }), 10);
        expectCode(200, await api.get(`${pods}/grace`));
        expectCode(200, await api.send('DELETE', `${pods}/grace`, { body: { gracePeriodSeconds: 0 } }));
        refused(await api.get(`${pods}/grace`), 404, 'NotFound');
        await create(api, pods, podObject('free'));
        const removed = item(expectCode(200, await api.delete(`${pods}/free`)));
        assert.equal(removed.kind, 'Pod', 'pods answer with the object');
        refused(await api.get(`${pods}/free`), 404, 'NotFound');
      });

      it('deletecollection deletes the selected objects and returns their list', async () => {
        for (const [name, app] of [
          ['dc1', 'x'],
          ['dc2', 'y'],
          ['dc3', 'x'],
        ] as const)
          await create(api, cms, configMap(name, {}, { labels: { dc: app } }));
        const taken = expectCode(200, await api.delete(`${cms}?labelSelector=dc%3Dx`));
        assert.equal(list(taken).kind, 'ConfigMapList');
        assert.deepEqual(names(taken), ['dc1', 'dc3']);
        assert.deepEqual(names(await api.get(`${cms}?labelSelector=dc`)), ['dc2']);
        refused(await api.delete(namespaces), 405, 'MethodNotAllowed');
      });
    });

    describe('each kind has its own way (facts: rest-strategies)', () => {
      const containers = [{ name: 'c', image: 'i' }];
      const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
      const core = (resource: string): string => `${ns}/${resource}`;
      const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      const volume = {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        hostPath: { path: '/x' },
      };
      /** Collection, what it takes besides its name, PUT of a missing one, PUT without a version, what DELETE shows. */
      const kinds: readonly (readonly [string, object, 201 | 404, 200 | 422, string])[] = [
        [leases, { spec: {} }, 201, 422, 'Status'],
        [core('configmaps'), {}, 404, 200, 'Status'],
        [core('endpoints'), {}, 201, 200, 'Status'],
        [core('events'), { involvedObject: { namespace: 'default' } }, 201, 200, 'Status'],
        [core('limitranges'), { spec: { limits: [] } }, 201, 200, 'Status'],
        [namespaces, {}, 404, 200, 'Namespace'],
        ['/api/v1/nodes', {}, 404, 200, 'Status'],
        ['/api/v1/persistentvolumes', { spec: volume }, 404, 200, 'PersistentVolume'],
        [core('persistentvolumeclaims'), { spec: claim }, 404, 200, 'PersistentVolumeClaim'],
        [core('pods'), { spec: { containers } }, 404, 200, 'Pod'],
        [core('podtemplates'), { template }, 404, 200, 'PodTemplate'],
        [core('replicationcontrollers'), { spec: { selector: { a: 'b' }, template } }, 404, 200, 'Status'],
        [core('resourcequotas'), { spec: {} }, 404, 200, 'ResourceQuota'],
        [core('secrets'), {}, 404, 200, 'Status'],
        [core('services'), { spec: { ports: [{ port: 80 }] } }, 201, 200, 'Service'],
        [core('serviceaccounts'), {}, 404, 200, 'ServiceAccount'],
      ];
      for (const [path, rest, missing, unconditional, shown] of kinds) {
        const resource = path.split('/').at(-1) ?? '';
        it(`${resource}: PUT of a missing one is ${missing}, without a version ${unconditional}, DELETE shows ${shown}`, async () => {
          const named = (name: string): object => ({ metadata: { name }, ...rest });
          expectCode(missing, await api.put(`${path}/kind-new`, named('kind-new')));
          const made = await create(api, path, named('kind-old'));
          const put = expectCode(unconditional, await api.put(`${path}/kind-old`, named('kind-old')));
          // Without the finalizers and taints that admission plugins gave to the first one.
          const latest = unconditional === 200 ? item(put) : made;
          expectCode(200, await api.put(`${path}/kind-old`, latest));
          const orphan = { propagationPolicy: 'Background' };
          const gone = expectCode(200, await api.send('DELETE', `${path}/kind-old`, { body: orphan }));
          assert.equal(item(gone).kind, shown);
        });
      }
    });

    describe('deletion of namespaces', () => {
      it('four namespaces exist from the start, and three of them cannot be deleted', async () => {
        const { namespaces: expected } = words.orch;
        const there = names(await api.get(namespaces));
        for (const name of expected) assert.ok(there.includes(name), name);
        for (const name of ['default', words.orch.systemNamespace, 'orch-public'])
          refused(await api.delete(`${namespaces}/${name}`), 403, 'Forbidden');
      });

      it('a terminating namespace refuses new objects, serves existing ones, and is removed when it is finalized', async () => {
        await create(api, namespaces, { metadata: { name: 'term' } });
        await create(api, `${namespaces}/term/configmaps`, configMap('inside'));
        const going = item(expectCode(200, await api.delete(`${namespaces}/term`)));
        assert.deepEqual([going.kind, going.status['phase']], ['Namespace', 'Terminating']);
        refused(await api.post(`${namespaces}/term/configmaps`, configMap('late')), 403, 'Forbidden', [
          'NamespaceTerminating',
        ]);
        expectCode(200, await api.get(`${namespaces}/term/configmaps/inside`));
        expectCode(
          200,
          await api.put(`${namespaces}/term/configmaps/inside`, configMap('inside', { k: 'v' })),
        );
        expectCode(200, await api.delete(`${namespaces}/term/configmaps/inside`));
        const current = item(await api.get(`${namespaces}/term`));
        assert.deepEqual(current.spec['finalizers'], ['orch']);
        const finalize = { ...current, spec: { finalizers: [] } };
        expectCode(200, await api.put(`${namespaces}/term/finalize`, finalize));
        refused(await api.get(`${namespaces}/term`), 404, 'NotFound');
        refused(await api.post(`${namespaces}/term/configmaps`, configMap('late')), 404, 'NotFound');
      });

      it('an unknown namespace is 404 for create and an empty list for list', async () => {
        refused(await api.post(`${namespaces}/nowhere/configmaps`, configMap('x')), 404, 'NotFound');
        assert.deepEqual(names(expectCode(200, await api.get(`${namespaces}/nowhere/configmaps`))), []);
      });
    });

    describe('requests to subresources', () => {
      it('status is written through its subresource only, which writes nothing else', async () => {
        const made = await create(api, `${namespaces}`, {
          metadata: { name: 'st' },
          status: { phase: 'Terminating' },
        });
        assert.equal(made.status['phase'], 'Active', 'not by create');
        await create(api, pods, podObject('st'));
        const main = item(await patch(`${pods}/st`, { status: { phase: 'Running' } }));
        assert.equal(main.status['phase'], 'Pending', 'not by the main path');
        const own = item(
          expectCode(
            200,
            await patch(`${pods}/st/status`, { status: { phase: 'Running' }, spec: { nodeName: 'x' } }),
          ),
        );
        assert.deepEqual([own.status['phase'], own.spec['nodeName']], ['Running', undefined]);
        assert.equal(item(await api.get(`${pods}/st/status`)).status['phase'], 'Running');
      });

      it('the scale subresource reads and writes the replicas, also conditionally', async () => {
        await create(api, rcs, controller('sc', 1));
        const scale = item(expectCode(200, await api.get(`${rcs}/sc/scale`)));
        assert.deepEqual(
          [scale.kind, scale.apiVersion, scale.spec, scale.status['selector']],
          ['Scale', 'autoscaling/v1', { replicas: 1 }, 'app=sc'],
        );
        const set = { ...scale, spec: { replicas: 4 } };
        assert.deepEqual(item(expectCode(200, await api.put(`${rcs}/sc/scale`, set))).spec, { replicas: 4 });
        refused(await api.put(`${rcs}/sc/scale`, set), 409, 'Conflict');
        expectCode(200, await patch(`${rcs}/sc/scale`, { spec: { replicas: 2 } }));
        const after = item(await api.get(`${rcs}/sc`));
        assert.deepEqual([after.spec['replicas'], after.metadata.generation], [2, 3]);
        refused(await patch(`${rcs}/sc/scale`, { spec: { replicas: -1 } }), 422, 'Invalid');
        refused(await api.get(`${cms}/made/scale`), 404, 'NotFound');
      });

      const binding = (name: string, target: string): object => ({
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name },
        target: { kind: 'Node', name: target },
      });

      it('a binding assigns a pod to a node once, through either path', async () => {
        for (const [name, path] of [
          ['b1', `${pods}/b1/binding`],
          ['b2', `${ns}/bindings`],
        ] as const) {
          await create(api, pods, podObject(name));
          const done = status(expectCode(201, await api.post(path, binding(name, 'n1'))));
          assert.deepEqual([done.kind, done.status], ['Status', 'Success']);
          const bound = item(await api.get(`${pods}/${name}`));
          assert.equal(bound.spec['nodeName'], 'n1');
          const conditions = bound.status['conditions'] as { type: string; status: string }[];
          assert.deepEqual(
            conditions.map((condition) => [condition.type, condition.status]),
            [['PodScheduled', 'True']],
          );
          refused(await api.post(path, binding(name, 'n2')), 409, 'Conflict');
        }
      });

      it('an eviction deletes the pod with the delete options it contains', async () => {
        const evict = (name: string, rest: object = {}) =>
          api.post(`${pods}/${name}/eviction`, {
            apiVersion: 'policy/v1',
            kind: 'Eviction',
            metadata: { name },
            ...rest,
          });
        await create(api, pods, podObject('ev', {}, { nodeName: 'n1' }));
        refused(await evict('ev', { deleteOptions: { preconditions: { uid: 'x' } } }), 409, 'Conflict');
        const done = await evict('ev', { deleteOptions: { gracePeriodSeconds: 7 } });
        assert.deepEqual([done.status, status(done).status], [201, 'Success']);
        const going: ApiItem = item(await api.get(`${pods}/ev`));
        assert.equal(going.metadata.deletionGracePeriodSeconds, 7);
        refused(await evict('none'), 404, 'NotFound');
      });
    });
  });
