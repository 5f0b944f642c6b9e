import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cloneJson } from '@orch/machinery/json';
import {
  assertGadget,
  at,
  expectedGadget,
  type GadgetVersion,
  isOld,
  type Json,
  openGadgets,
  posted,
  versions,
} from '../testing/gadgets.ts';

describe('the emulated release', () => {
  for (const [release, served, stored] of [
    ['1.18', ['apps/v1beta1', 'extensions/v1beta1'], 'apps/v1beta1'],
    ['1.19', ['apps/v1beta2', 'apps/v1beta1', 'extensions/v1beta1'], 'apps/v1beta1'],
    ['1.20', versions, 'apps/v1beta2'],
    ['1.21', versions, 'apps/v1'],
    ['1.25', ['apps/v1', 'apps/v1beta2'], 'apps/v1'],
  ] as const) {
    it(`${release} stores ${stored}, and an object written in any served version is readable in all of them`, async () => {
      await using api = await openGadgets(release);
      for (const version of versions) {
        if (!(served as readonly string[]).includes(version)) {
          assert.equal((await api.get(at(version, 'x'))).status, 404, version);
          continue;
        }
        const name = version.replace('/', '-');
        const made = await api.post(at(version), posted(version, name));
        assert.equal(made.status, 201, made.text);
        assertGadget(made.json, version, `post ${version}`);
        const { kv } = await api.model.get(
          `/registry/gadgets.apps/default/${name}`,
          new AbortController().signal,
        );
        assert.equal(JSON.parse(String(kv?.value)).apiVersion, stored);
        for (const other of served) {
          const got = await api.get(at(other, name));
          assertGadget(got.json, other, `${version} read as ${other}`);
          assert.equal(got.json.metadata.resourceVersion, made.json.metadata.resourceVersion);
          assert.equal(got.json.metadata.uid, made.json.metadata.uid);
        }
      }
    });
  }
});

for (const release of ['1.18', '1.20', '1.21']) {
  const served = versions.filter((version) => release !== '1.18' || isOld(version));

  describe(`writes in every version, release ${release}`, () => {
    for (const version of served) {
      const sizeOf = (object: Json): number => (isOld(version) ? object.spec.replicas : object.spec.size);
      const resized = (object: Json, size: number): Json => {
        const next = cloneJson(object);
        next.spec[isOld(version) ? 'replicas' : 'size'] = size;
        return next;
      };
      const others = served.filter((other) => other !== version);

      it(`${version}: an update changes only the fields of the request`, async () => {
        await using api = await openGadgets(release);
        const made = await api.post(at(version), posted(version, 'g'));
        const put = await api.put(at(version, 'g'), resized(made.json, 7));
        assert.equal(put.status, 200, put.text);
        assert.equal(sizeOf(put.json), 7);
        assert.equal(put.json.metadata.generation, 2);
        const again = await api.put(at(version, 'g'), put.json);
        assert.equal(
          again.json.metadata.resourceVersion,
          put.json.metadata.resourceVersion,
          'nothing changed',
        );
        const stale = await api.put(at(version, 'g'), made.json);
        assert.equal(stale.status, 409);
        for (const other of others) {
          const got = await api.get(at(other, 'g'));
          const expected: Json = cloneJson(expectedGadget(other).spec);
          expected[isOld(other) ? 'replicas' : 'size'] = 7;
          assert.deepEqual(got.json.spec, expected);
        }
      });

      it(`${version}: all patch types use the field names of the version`, async () => {
        await using api = await openGadgets(release);
        await api.post(at(version), posted(version, 'g'));
        const member = isOld(version) ? 'replicas' : 'size';
        const merged = await api.patch(at(version, 'g'), { spec: { [member]: 8 } });
        assert.equal(sizeOf(merged.json), 8, merged.text);
        const json = await api.patch(
          at(version, 'g'),
          [
            { op: 'test', path: `/spec/${member}`, value: 8 },
            { op: 'replace', path: `/spec/${member}`, value: 9 },
          ],
          'json',
        );
        assert.equal(sizeOf(json.json), 9, json.text);
        const part = [{ name: 'axle', weight: 2 }];
        const strategic = await api.send('PATCH', at(version, 'g'), {
          body: { spec: isOld(version) ? { box: { parts: part } } : { parts: part } },
          contentType: 'application/strategic-merge-patch+json',
        });
        const after = isOld(version) ? strategic.json.spec.box.parts : strategic.json.spec.parts;
        assert.deepEqual(
          after.toSorted((a: Json, b: Json) => (a.name < b.name ? -1 : 1)),
          [
            { name: 'axle', weight: 2 },
            { name: 'wheel', weight: 3 },
          ],
        );
        const nothing = await api.patch(at(version, 'g'), {});
        assert.equal(nothing.json.metadata.resourceVersion, strategic.json.metadata.resourceVersion);
        const unknown = await api.patch(at(version, 'g'), {
          spec: { [isOld(version) ? 'size' : 'replicas']: 50 },
        });
        assert.equal(sizeOf(unknown.json), 9, 'members of other versions are unknown');
      });

      it(`${version}: status is written only through its subresource, and scale in the version of Scale`, async () => {
        await using api = await openGadgets(release);
        const made = await api.post(at(version), { ...posted(version, 'g'), status: { phase: 'Early' } });
        assert.equal(made.json.status.phase, undefined);
        const member = isOld(version) ? 'replicas' : 'size';
        const next = resized(made.json, 50);
        next.status = { [member]: 4, phase: 'Ready' };
        const status = await api.put(at(version, 'g', '/status'), next);
        assert.equal(status.status, 200, status.text);
        assert.deepEqual([sizeOf(status.json), status.json.status], [5, { [member]: 4, phase: 'Ready' }]);
        const main = await api.put(at(version, 'g'), { ...status.json, status: {} });
        assert.deepEqual(main.json.status, { [member]: 4, phase: 'Ready' });
        const patched = await api.patch(at(version, 'g', '/status'), { status: { phase: 'Done' } });
        assert.equal(patched.json.status.phase, 'Done');

        const scale = await api.get(at(version, 'g', '/scale'));
        assert.deepEqual(
          [scale.json.apiVersion, scale.json.spec, scale.json.status],
          ['autoscaling/v1', { replicas: 5 }, { replicas: 4, selector: 'app=gadget' }],
        );
        const scaled = await api.put(at(version, 'g', '/scale'), { ...scale.json, spec: { replicas: 6 } });
        assert.deepEqual([scaled.status, scaled.json.spec], [200, { replicas: 6 }], scaled.text);
        const late = await api.put(at(version, 'g', '/scale'), { ...scale.json, spec: { replicas: 3 } });
        assert.equal(late.status, 409, 'the resourceVersion of the Scale is that of the object');
        await api.patch(at(version, 'g', '/scale'), { spec: { replicas: 7 } });
        assert.equal(sizeOf((await api.get(at(version, 'g'))).json), 7);
        const negative = await api.patch(at(version, 'g', '/scale'), { spec: { replicas: -1 } });
        assert.equal(negative.status, 422);
      });

      it(`${version}: dry runs respond in the version and store nothing, and deletes respond as the version defines`, async () => {
        await using api = await openGadgets(release);
        const dry = await api.post(`${at(version)}?dryRun=All`, posted(version, 'g'));
        assertGadget(dry.json, version);
        assert.equal((await api.get(at(version, 'g'))).status, 404);
        const made = await api.post(at(version), posted(version, 'g'));
        const dryPut = await api.put(`${at(version, 'g')}?dryRun=All`, resized(made.json, 9));
        assert.equal(sizeOf(dryPut.json), 9);
        assertGadget((await api.get(at(version, 'g'))).json, version);
        const gone = await api.delete(at(version, 'g'));
        assert.equal(gone.status, 200);
        if (version === 'extensions/v1beta1') assertGadget(gone.json, version);
        else assert.equal(gone.json.kind, 'Status');
      });

      it(`${version}: the version has its own defaults, constraints and validation, and its group name in failures`, async () => {
        await using api = await openGadgets(release);
        const bare = await api.post(at(version), { metadata: { name: 'bare' } });
        assert.deepEqual(
          bare.json.spec,
          isOld(version) ? { replicas: 2, mode: 'Ignore' } : { size: 1, mode: 'Fail' },
        );
        const wrong = await api.post(at(version), { metadata: { name: 'w' }, spec: { mode: 'Other' } });
        assert.equal(wrong.status, 422);
        assert.deepEqual(
          wrong.json.details.causes.map((cause: Json) => cause.field),
          ['spec.mode'],
        );
        assert.equal(wrong.json.details.group, version.split('/')[0]);
        const member = isOld(version) ? 'replicas' : 'size';
        const below = await api.patch(at(version, 'bare'), { spec: { [member]: -1 } });
        assert.deepEqual(
          below.json.details.causes.map((cause: Json) => cause.field),
          [`spec.${member}`],
        );
        const large = await api.patch(at(version, 'bare'), { spec: { [member]: 101 } });
        assert.equal(
          large.status,
          version === 'extensions/v1beta1' ? 200 : 422,
          'a rule that one version lacks',
        );
        const foreign = await api.post(at(version), {
          kind: 'Gadget',
          apiVersion: served.find((other) => other !== version),
          metadata: { name: 'f' },
        });
        assert.equal(foreign.status, 400);
        const taken = await api.post(at(version), { metadata: { name: 'bare' } });
        assert.deepEqual([taken.status, taken.json.details.group], [409, version.split('/')[0]]);
        const generated = await api.post(at(version), { metadata: { generateName: 'many-' } });
        assert.match(generated.json.metadata.name, /^many-.{5}$/);
      });
    }

    it('objects and collections of another version can be deleted', async () => {
      await using api = await openGadgets(release);
      for (const version of served) await api.post(at(version), posted(version, version.replace('/', '-')));
      const collection = await api.delete(at('apps/v1beta1'));
      assert.equal(collection.status, 200, collection.text);
      assert.equal(collection.json.items.length, served.length);
      for (const item of collection.json.items)
        assertGadget({ ...item, apiVersion: 'apps/v1beta1', kind: 'Gadget' }, 'apps/v1beta1');
      assert.equal((await api.get(at('extensions/v1beta1'))).json.items.length, 0);
      assert.equal((await api.delete(at('extensions/v1beta1'))).status, 405, 'a verb that one version lacks');
    });
  });
}

describe('deprecated versions', () => {
  it('a failed request for a deprecated version has the warning and sets the gauge', async () => {
    await using api = await openGadgets('1.20');
    const path = at('apps/v1beta1', 'none');
    for (const answer of [
      await api.get(path),
      await api.patch(path, {}),
      await api.send('POST', path),
      await api.get(`${at('apps/v1beta1')}?limit=x`),
    ]) {
      assert.ok(answer.status >= 400, String(answer.status));
      assert.match(String(answer.headers['Warning']), /apps\/v1beta1 Gadget is deprecated/);
      assert.equal(answer.json.kind, 'Status');
    }
    const text = api.env.metrics.text();
    assert.match(
      text,
      /apiserver_requested_deprecated_apis\{group="apps",version="v1beta1",resource="gadgets",subresource="",removed_release="1\.25"\} 1/,
    );
  });

  const warningOf = async (release: string, version: GadgetVersion) => {
    await using api = await openGadgets(release);
    return (await api.get(at(version))).headers['Warning'];
  };
  for (const [release, version, warning] of [
    ['1.18', 'extensions/v1beta1', undefined],
    [
      '1.19',
      'extensions/v1beta1',
      'extensions/v1beta1 Gadget is deprecated in v1.18+, unavailable in v1.22+; use apps/v1beta1 Gadget',
    ],
    [
      '1.20',
      'apps/v1beta1',
      'apps/v1beta1 Gadget is deprecated in v1.19+, unavailable in v1.25+; use apps/v1 Gadget',
    ],
    ['1.20', 'apps/v1beta2', undefined],
    ['1.21', 'apps/v1beta2', 'apps/v1beta2 Gadget is deprecated in v1.21+'],
    ['1.21', 'apps/v1', undefined],
  ] as const) {
    it(`${version} ${warning === undefined ? 'has no deprecation warning' : 'has a deprecation warning'} in ${release}`, async () => {
      assert.deepEqual(
        await warningOf(release, version),
        warning === undefined ? undefined : [`299 - "${warning}"`],
      );
    });
  }
});
