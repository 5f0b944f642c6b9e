import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crontab, crontabs, defineCronTabs, GROUP } from '@orch/custom-resources/testing';
import { namesFor, protobufMagic } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import type { Answered } from '@orch/registry/testing';
import { readable } from '@orch/storage';
import { ApiFixture, type ApiFixtureOptions } from './api-fixture.ts';

const never = new AbortController().signal;
export const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const names = namesFor('orch');
export const configMaps = '/api/v1/namespaces/default/configmaps';
export const configMap = (name: string, metadata: object = {}): object => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, labels: { app: 'a' }, finalizers: ['example.com/hold'], ...metadata },
  data: { k: 'v' },
});

/** The stored bytes of an object, which are restored by writing them again. */
export async function bytesAt(api: ApiFixture, key: string): Promise<{ value: Buffer; rev: number }> {
  const { kv } = await api.store.get(`/registry/${key}`, never);
  assert.ok(kv !== undefined, `${key} is stored`);
  return { value: readable(kv).value, rev: kv.modRevision };
}

export async function overwrite(api: ApiFixture, key: string, value: Buffer): Promise<void> {
  const { rev: expected } = await bytesAt(api, key);
  const done = await api.store.commit({ op: 'update', key: `/registry/${key}`, value, expected }, never);
  assert.ok(done.ok);
  await until(() => api.cache.revision() >= done.rev);
}

const replaced = (from: string | RegExp, to: string) => (bytes: Buffer) =>
  Buffer.from(String(bytes).replace(from, to));

/** A store for one server. */
export interface OpenedStore extends AsyncDisposable {
  readonly options: Pick<ApiFixtureOptions, 'wrap'>;
}

interface Place {
  readonly key: string;
  readonly path: string;
  readonly object: (name: string) => object;
  readonly open: (options: ApiFixtureOptions) => Promise<ApiFixture>;
}

const inConfigMaps: Place = {
  key: 'configmaps/default/',
  path: configMaps,
  object: configMap,
  open: (options) => ApiFixture.open(options),
};
const inCronTabs: Place = {
  key: `crontabs.${GROUP}/default/`,
  path: crontabs(),
  object: (name) => ({
    ...crontab(name),
    metadata: { name, labels: { app: 'a' }, finalizers: ['example.com/hold'] },
  }),
  open: async (options) => defineCronTabs(await ApiFixture.open(options)),
};

const inPodTemplates: Place = {
  key: 'podtemplates/default/',
  path: '/api/v1/namespaces/default/podtemplates',
  object: (name) => ({
    kind: 'PodTemplate',
    apiVersion: 'v1',
    metadata: { name, labels: { app: 'a' }, finalizers: ['example.com/hold'] },
    template: {
      spec: { activeDeadlineSeconds: 5, containers: [{ name: 'c', image: 'registry.example/c' }] },
    },
  }),
  open: (options) => ApiFixture.open(options),
};

/** A ConfigMap as Protobuf of which `data` is the number 5. */
const mistypedMessage = Buffer.concat([
  Buffer.from(protobufMagic),
  Buffer.from([0x0a, 15, 0x0a, 2, ...Buffer.from('v1'), 0x12, 9, ...Buffer.from('ConfigMap')]),
  Buffer.from([0x12, 2, 0x10, 5]),
]);

/** The ways in which an object becomes unreadable. */
const ways: readonly (readonly [string, Place, (bytes: Buffer) => Buffer, RegExp])[] = [
  [
    'a version that its definition does not have',
    inCronTabs,
    replaced('/v1"', '/v1alpha1"'),
    /v1alpha1, a version/,
  ],
  ['an apiVersion that its kind does not have', inConfigMaps, replaced('"v1"', '"v7"'), /v7, a version that/],
  ['another kind', inConfigMaps, replaced('ConfigMap', 'Secret'), /stored as Secret/],
  ['bytes that are not an object', inConfigMaps, () => Buffer.from('no object'), /offset 1/],
  ['no bytes', inConfigMaps, () => Buffer.alloc(0), /offset 0/],
  ['bytes that are cut', inConfigMaps, (bytes) => bytes.subarray(0, bytes.length - 3), /offset \d+/],
  ['a byte that was changed', inConfigMaps, replaced('"k":', '"k"\0'), /offset \d+/],
  ['bytes that are cut, of a custom kind,', inCronTabs, (bytes) => bytes.subarray(0, 120), /offset \d+/],
  [
    'a value in place of a map',
    inConfigMaps,
    replaced('{"k":"v"}', '5'),
    /data: expected an object, got the number 5/,
  ],
  [
    'a number in place of a string',
    inConfigMaps,
    replaced('"v"}', '5}'),
    /data\[k\]: expected a string, got the number/,
  ],
  [
    'labels of another type',
    inConfigMaps,
    replaced('{"app":"a"}', '["a"]'),
    /metadata\.labels: expected an object/,
  ],
  [
    'finalizers of another type',
    inConfigMaps,
    replaced('["example.com/hold"]', '"x"'),
    /metadata\.finalizers: expected/,
  ],
  [
    'a spec that is a string',
    inPodTemplates,
    replaced(/"template":.*/, '"template":"x"}'),
    /template: expected an object/,
  ],
  [
    'a number of another type',
    inPodTemplates,
    replaced('"activeDeadlineSeconds":5', '"activeDeadlineSeconds":5.5'),
    /activeDeadlineSeconds: expected a whole number/,
  ],
  [
    'a Protobuf field of another type',
    inConfigMaps,
    () => mistypedMessage,
    /data: wire type 0 where 2 is due/,
  ],
  [
    'a key that is gone',
    inConfigMaps,
    () => Buffer.from(`${names.storedPrefixes.encrypted}aesgcm:v1:lost:text`),
    /aesgcm:v1:lost:/,
  ],
];

/** Accepts a kind of the group of metadata, in place of the object. */
const as = (kind: string) => ({ accept: `application/json;as=${kind};g=${names.group('meta')};v=v1` });
const table = as('Table');
const partial = as('PartialObjectMetadata');
const partialList = as('PartialObjectMetadataList');
const apply = { contentType: 'application/apply-patch+yaml' };
const strategic = { contentType: 'application/strategic-merge-patch+json' };

/** The question why the object `bad` is as it is. */
function whyOf({ key }: Place): string {
  const [resource = '', ...group] = (key.split('/')[0] ?? '').split('.');
  return `/why/object?group=${group.join('.')}&resource=${resource}&namespace=default&name=bad`;
}

/** Every request that reads the object `bad`, alone or with others. */
const readers: readonly (readonly [string, (api: ApiFixture, place: Place) => Promise<Answered>])[] = [
  ['GET', (api, { path }) => api.get(`${path}/bad`)],
  ['GET from the cache', (api, { path }) => api.get(`${path}/bad?resourceVersion=0`)],
  ['GET as a Table', (api, { path }) => api.get(`${path}/bad`, table)],
  ['why', (api, place) => api.get(whyOf(place))],
  ['why of a field', (api, place) => api.get(`${whyOf(place)}&field=.metadata.labels`)],
  ['why of a field that it does not have', (api, place) => api.get(`${whyOf(place)}&field=.data.none`)],
  ['GET of metadata', (api, { path }) => api.get(`${path}/bad`, partial)],
  ['LIST', (api, { path }) => api.get(path)],
  ['LIST of all namespaces', (api, { path }) => api.get(path.replace('/namespaces/default', ''))],
  ['LIST from the cache', (api, { path }) => api.get(`${path}?resourceVersion=0`)],
  ['LIST of a page', (api, { path }) => api.get(`${path}?limit=1`)],
  ['LIST as a Table', (api, { path }) => api.get(path, table)],
  ['LIST of metadata', (api, { path }) => api.get(path, partialList)],
  ['LIST by labels', (api, { path }) => api.get(`${path}?labelSelector=app%3Da`)],
  ['LIST by other labels', (api, { path }) => api.get(`${path}?labelSelector=app%3Db`)],
  ['LIST by name', (api, { path }) => api.get(`${path}?fieldSelector=metadata.name%3Dbad`)],
  ['watch of the state', (api, { path }) => api.get(`${path}?watch=1`)],
  ['watch from before', (api, { path }) => api.get(`${path}?watch=1&resourceVersion=1`)],
  [
    'JSON patch',
    (api, { path }) =>
      api.patch(`${path}/bad`, [{ op: 'add', path: '/metadata/labels/b', value: 'c' }], 'json'),
  ],
  ['merge patch', (api, { path }) => api.patch(`${path}/bad`, { metadata: { labels: { b: 'c' } } })],
  [
    'strategic merge patch',
    (api, place) => api.send('PATCH', `${place.path}/bad`, { body: { metadata: {} }, ...strategic }),
  ],
  [
    'apply',
    (api, { path, object }) =>
      api.send('PATCH', `${path}/bad?fieldManager=m`, { body: without(object('bad')), ...apply }),
  ],
  ['PUT', (api, { path, object }) => api.put(`${path}/bad`, object('bad'))],
  ['dry run of PUT', (api, { path, object }) => api.put(`${path}/bad?dryRun=All`, object('bad'))],
  ['DELETE', (api, { path }) => api.delete(`${path}/bad`)],
  ['DELETE at once', (api, { path }) => api.delete(`${path}/bad?gracePeriodSeconds=0`)],
  ['DELETE in the foreground', (api, { path }) => api.delete(`${path}/bad?propagationPolicy=Foreground`)],
  ['DELETE of the collection', (api, { path }) => api.delete(path)],
  ['DELETE of a selected collection', (api, { path }) => api.delete(`${path}?labelSelector=app%3Db`)],
];
const subresourceReaders: typeof readers = [
  ['GET of the status', (api, { path }) => api.get(`${path}/bad/status`)],
  ['PUT of the status', (api, { path, object }) => api.put(`${path}/bad/status`, object('bad'))],
  ['patch of the status', (api, { path }) => api.patch(`${path}/bad/status`, { status: { replicas: 1 } })],
  ['GET of the scale', (api, { path }) => api.get(`${path}/bad/scale`)],
  ['patch of the scale', (api, { path }) => api.patch(`${path}/bad/scale`, { spec: { replicas: 2 } })],
];

/** An applied configuration: without the fields that only a create sets. */
const without = (object: object): object => {
  const { kind, apiVersion } = object as { kind: string; apiVersion: string };
  return { kind, apiVersion, metadata: { name: 'bad', labels: { x: 'y' } } };
};

/** Objects `bad`, `worse` and `good`, of which the first two are damaged, and the bytes of `bad` before. */
async function damaged(api: ApiFixture, place: Place, damage: (bytes: Buffer) => Buffer): Promise<Buffer> {
  for (const name of ['bad', 'good', 'worse']) {
    const made = await api.post(place.path, place.object(name));
    assert.equal(made.status, 201, made.text);
  }
  const { value: before } = await bytesAt(api, `${place.key}bad`);
  for (const name of ['bad', 'worse'])
    await overwrite(api, place.key + name, damage((await bytesAt(api, place.key + name)).value));
  return before;
}

const isNamed = ({ json }: Answered): boolean =>
  /default\/bad \(|stored object bad (of [a-z]+ )?cannot be read/.test(json.message);

/** Tests every way with every reader, on a store that `open` gives to the server. */
export function describeUnreadableObjects(inStore: string, open: () => Promise<OpenedStore>): void {
  for (const [way, place, damage, reason] of ways) {
    describe(`an object that is stored in ${inStore} with ${way}`, () => {
      it(`an object with ${way} is an error with its name and cause for every reader, and stays as it is`, async () => {
        await using store = await open();
        await using api = await place.open(store.options);
        const before = await damaged(api, place, damage);
        const stored = await bytesAt(api, `${place.key}bad`);
        for (const [title, read] of place === inCronTabs ? [...readers, ...subresourceReaders] : readers) {
          if (title === 'strategic merge patch' && place === inCronTabs) continue;
          const answer = await read(api, place);
          assert.deepEqual(
            [answer.status, answer.json?.reason],
            [500, 'InternalError'],
            `${title}: ${answer.text}`,
          );
          assert.ok(isNamed(answer), `${title}: ${answer.text}`);
          assert.match(answer.json.message, reason, title);
          if (title.startsWith('LIST') && !title.includes('by name'))
            assert.match(answer.json.message, /default\/worse \(/);
        }
        assert.equal((await api.post(place.path, place.object('bad'))).status, 409);
        assert.deepEqual(await bytesAt(api, `${place.key}bad`), stored);
        // Others are served.
        assert.equal((await api.get(`${place.path}/good`)).status, 200);
        assert.equal(
          (await api.get(`${place.path}?fieldSelector=metadata.name%3Dgood`)).json.items.length,
          1,
        );
        assert.equal(
          (await api.patch(`${place.path}/good`, { metadata: { labels: { b: 'c' } } })).status,
          200,
        );
        // With the previous bytes, everything is as it was before.
        const { rev: _rev, ...rest } = await bytesAt(api, `${place.key}worse`);
        assert.ok(rest.value.length >= 0);
        await overwrite(api, `${place.key}bad`, before);
        const again = await api.get(`${place.path}/bad`);
        assert.equal(again.status, 200);
        assert.deepEqual(again.json.metadata.finalizers, ['example.com/hold']);
        assert.deepEqual(again.json.metadata.labels, { app: 'a' });
      });

      it(`an object with ${way} is removed only with the option for it`, async () => {
        await using store = await open();
        await using api = await place.open(store.options);
        await damaged(api, place, damage);
        for (const other of ['dryRun=All', 'gracePeriodSeconds=0', 'propagationPolicy=Orphan'])
          assert.equal((await api.delete(`${place.path}/bad?${OPTION}=true&${other}`)).status, 422, other);
        assert.equal((await api.delete(`${place.path}?${OPTION}=true`)).status, 422);
        const removed = await api.delete(`${place.path}/bad?${OPTION}=true`);
        assert.equal(removed.status, 200, removed.text);
        assert.equal((await api.get(`${place.path}/bad`)).status, 404);
        const rest = await api.get(place.path);
        assert.match(rest.json.message, /cannot be read: default\/worse \(/);
        assert.equal((await api.delete(`${place.path}/worse?${OPTION}=true`)).status, 200);
        assert.deepEqual((await api.get(place.path)).json.items.map(nameOf), ['good']);
        const refused = await api.delete(`${place.path}/good?${OPTION}=true`);
        assert.equal(refused.status, 409, 'a readable object');
        assert.match(refused.json.message, /it can be read; delete it without/);
        assert.equal((await api.get(`${place.path}/good`)).json.metadata.deletionTimestamp, undefined);
      });
    });
  }
}

const nameOf = ({ metadata }: { readonly metadata: { readonly name: string } }): string => metadata.name;
