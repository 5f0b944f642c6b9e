import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor, namings } from '@orch/machinery';
import type { Answered } from '../testing/answers.ts';
import { pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

type Annotations = Readonly<Record<string, string>>;

const pods = '/api/v1/namespaces/default/pods';
const manager = 'fieldManager=m';

interface Write {
  readonly api: RegistryFixture;
  readonly path: string;
  readonly name: string;
  readonly before: Annotations;
  readonly after: Annotations;
}

/** The merge patch from one state to the other. */
const merged = ({ before, after }: Write): object => ({
  metadata: {
    annotations: { ...Object.fromEntries(Object.keys(before).map((key) => [key, null])), ...after },
  },
});

const patchAs =
  (contentType: string, bodyOf: (write: Write) => unknown, query = '') =>
  (write: Write): Promise<Answered> =>
    write.api.send('PATCH', `${write.path}?${query}`, { body: bodyOf(write), contentType });

const writes: Readonly<Record<string, (write: Write) => Promise<Answered>>> = {
  async PUT({ api, path, name, after }) {
    const { json } = await api.get(`${pods}/${name}`);
    return api.put(path, { ...json, metadata: { ...json.metadata, annotations: after } });
  },
  'merge patch': patchAs('application/merge-patch+json', merged),
  'strategic merge patch': patchAs('application/strategic-merge-patch+json', merged),
  'JSON patch': patchAs('application/json-patch+json', ({ after }) => [
    { op: 'add', path: '/metadata/annotations', value: after },
  ]),
  apply: patchAs(
    'application/apply-patch+yaml',
    ({ name, after }) => pod(name, { nodeName: 'n' }, { annotations: after }),
    `${manager}&force=true`,
  ),
};

for (const naming of namings) {
  const names = namesFor(naming);
  const mirror = names.annotations.configMirror;
  const profile = `${names.annotations.apparmorContainerPrefix}c`;
  const changes: readonly (readonly [title: string, key: string, before: Annotations, after: Annotations])[] =
    [
      ['cannot be added', mirror, {}, { [mirror]: 'a' }],
      ['cannot be changed', mirror, { [mirror]: 'a' }, { [mirror]: 'b' }],
      ['cannot be removed', mirror, { [mirror]: 'a' }, {}],
      ['cannot be added', profile, {}, { [profile]: 'runtime/default' }],
      ['cannot be changed', profile, { [profile]: 'runtime/default' }, { [profile]: 'unconfined' }],
      ['cannot be removed', profile, { [profile]: 'runtime/default' }, {}],
    ];

  describe(`annotations of a pod that its node relies on, ${naming} names`, () => {
    for (const [title, key, before, after] of changes) {
      for (const subresource of ['', '/status']) {
        it(`${key} ${title} through pods${subresource}, in any form of write`, async () => {
          await using api = await RegistryFixture.open({ naming });
          for (const [form, write] of Object.entries(writes)) {
            // An apply to a subresource does not release fields that were applied to the object itself.
            if (form === 'apply' && subresource !== '' && Object.keys(after).length === 0) continue;
            const name = form.toLowerCase().replaceAll(' ', '-');
            const created = await api.send('PATCH', `${pods}/${name}?${manager}`, {
              body: { ...pod(name, { nodeName: 'n' }, { annotations: { ...before, kept: 'yes' } }) },
              contentType: 'application/apply-patch+yaml',
            });
            assert.equal(created.status, 201, created.text);
            const path = `${pods}/${name}${subresource}`;
            const answer = await write({ api, path, name, before, after: { ...after, kept: 'yes' } });
            assert.equal(answer.status, 422, `${form}: ${answer.text}`);
            const [cause, ...others] = answer.json.details.causes;
            assert.deepEqual(
              [cause.reason, cause.field, others],
              ['FieldValueForbidden', `metadata.annotations[${key}]`, []],
              form,
            );
            const allowed = await write({ api, path, name, before, after: { ...before, kept: 'no' } });
            assert.equal(allowed.status, 200, `${form}: ${allowed.text}`);
            const { json } = await api.get(`${pods}/${name}`);
            assert.deepEqual(json.metadata.annotations, { ...before, kept: 'no' }, form);
          }
        });
      }
    }

    it('a change through pods/ephemeralcontainers leaves all annotations as they are, in any form of write', async () => {
      await using api = await RegistryFixture.open({ naming });
      const before = { [mirror]: 'a', kept: 'yes' };
      for (const [form, write] of Object.entries(writes)) {
        const name = form.toLowerCase().replaceAll(' ', '-');
        const created = await api.post(pods, pod(name, { nodeName: 'n' }, { annotations: before }));
        assert.equal(created.status, 201, created.text);
        const path = `${pods}/${name}/ephemeralcontainers`;
        const after = { [mirror]: 'b', [profile]: 'unconfined', kept: 'no' };
        const answer = await write({ api, path, name, before, after });
        assert.equal(answer.status, 200, `${form}: ${answer.text}`);
        const { json } = await api.get(`${pods}/${name}`);
        assert.deepEqual(json.metadata.annotations, before, form);
      }
    });

    it('a binding does not set fixed annotations, and sets others', async () => {
      await using api = await RegistryFixture.open({ naming });
      const bind = (annotations: Annotations, path: string): Promise<Answered> =>
        api.post(path, { metadata: { name: 'p', annotations }, target: { kind: 'Node', name: 'n' } });
      assert.equal((await api.post(pods, pod('p'))).status, 201);
      for (const path of [`${pods}/p/binding`, '/api/v1/namespaces/default/bindings']) {
        for (const key of [mirror, profile]) {
          const answer = await bind({ [key]: 'a', other: 'b' }, path);
          assert.equal(answer.status, 422, `${path}: ${answer.text}`);
          assert.equal(answer.json.details.causes[0].field, `metadata.annotations[${key}]`);
        }
      }
      assert.equal((await bind({ other: 'b' }, `${pods}/p/binding`)).status, 201);
      assert.deepEqual((await api.get(`${pods}/p`)).json.metadata.annotations, { other: 'b' });
    });

    it('a mirror pod annotation on a pod without a node is refused', async () => {
      await using api = await RegistryFixture.open({ naming });
      const annotations = { [mirror]: 'a' };
      const answer = await api.post(pods, pod('p', {}, { annotations }));
      assert.equal(answer.status, 422, answer.text);
      assert.equal((await api.post(pods, pod('p', { nodeName: 'n' }, { annotations }))).status, 201);
    });
  });
}
