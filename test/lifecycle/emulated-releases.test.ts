import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  builtinTypes,
  NEWEST_RELEASE,
  type Release,
  type ResourceType,
  servedByDefault,
  typesOfOtherReleases,
} from '@orch/apis';
import { type TestEnv, testEnv } from '@orch/machinery/testing';
import { ApiFixture } from '@orch/server/testing';
import { ModelStore } from '@orch/storage';
import { assertKept } from './assert-kept.ts';
import type { TypedObject } from './client.ts';
import { collectionOf, type ServedKind, servedKinds } from './served-kinds.ts';
import { comparable, isReadable, type StoredObject, storeAll, titleOf, typeOf } from './stored-objects.ts';

const releases: readonly Release[] = ['1.24', '1.28', '1.30', '1.32', '1.34', '1.36', NEWEST_RELEASE];

/** Releases one after another over one store, as an operator changes `--emulated-version`. */
class OneStore {
  readonly written: StoredObject[] = [];
  readonly #env: TestEnv = testEnv();
  readonly #store = new ModelStore(this.#env);

  open(release: Release): Promise<ApiFixture> {
    return ApiFixture.open({
      release,
      naming: 'kubernetes',
      store: this.#store,
      env: this.#env,
      // The server would change the status of the API service at any time.
      maintainsApiServices: false,
    });
  }
}

/** The object with an annotation. For deployments it counts as a change of the specification. */
function annotated(object: TypedObject): TypedObject {
  const annotations = { ...object.metadata.annotations, 'suite.example/replica': 'other' };
  const generation =
    object.kind === 'Deployment' ? { generation: Number(object.metadata.generation) + 1 } : {};
  return { ...object, metadata: { ...object.metadata, ...generation, annotations } };
}

type Verdict = 'refused' | 'reported' | 'served';

/** Whether the start of a release over an object of a kind is refused or reported; neither for kinds that it serves. */
function verdictsOf(release: Release): (served: ServedKind) => Verdict {
  const others = new Map<ResourceType | undefined, Verdict>(
    typesOfOtherReleases(release, builtinTypes, (_type, version) => servedByDefault(release, version)).map(
      ({ type, isLater }) => [type, isLater ? 'refused' : 'reported'],
    ),
  );
  return (served) => others.get(typeOf(served)) ?? 'served';
}

describe('objects of one store under emulated releases', () => {
  const one = new OneStore();
  const assertAllRead = async (api: ApiFixture, release: Release): Promise<ReadonlySet<Verdict>> => {
    const kinds = await servedKinds(api, release);
    const verdictOf = verdictsOf(release);
    const verdicts = new Set<Verdict>();
    for (const written of one.written) {
      const verdict = verdictOf(written.served);
      assert.equal(await isReadable(api, kinds, written), verdict === 'served', titleOf(written));
      verdicts.add(verdict);
    }
    return verdicts;
  };

  for (const release of releases)
    it(`release ${release} reads what earlier releases have stored, or reports it, and stores every kind`, async () => {
      await using api = await one.open(release);
      assert.ok(!(await assertAllRead(api, release)).has('refused'));
      const written = await storeAll(api, await servedKinds(api, release));
      assert.ok(written.length > 60);
      one.written.push(...written);
    });

  for (const release of releases.toReversed().slice(1))
    it(`release ${release} reads what later releases have stored, or its start refuses the store`, async () => {
      await using api = await one.open(release);
      assert.ok((await assertAllRead(api, release)).has('refused'));
    });

  /** The changed object, apart from defaults of fields that the later release has added, and the generation of that. */
  const assertDefaulted = (after: unknown, expected: unknown): void => {
    const { metadata, ...rest } = expected as TypedObject;
    const { generation: _own, ...others } = metadata;
    assertKept({ ...rest, metadata: others }, after);
  };
  for (const [title, changing, writing, assertChanged] of [
    [
      'a replica of the earliest release changes objects of the latest one, and nothing else in them',
      releases[0],
      NEWEST_RELEASE,
      assert.deepEqual,
    ],
    [
      'a replica of the latest release changes objects of the earliest one, and adds only defaults',
      NEWEST_RELEASE,
      releases[0],
      assertDefaulted,
    ],
  ] as const)
    it(title, async () => {
      assert.ok(changing !== undefined && writing !== undefined);
      await using api = await one.open(changing);
      await using other = await one.open(writing);
      const kinds = await servedKinds(api, changing);
      let changed = 0;
      for (const written of one.written.filter(({ served }) => served.release === writing)) {
        const { served, name } = written;
        if (!kinds.some((kind) => kind.apiVersion === served.apiVersion && kind.kind === served.kind))
          continue;
        const path = `${collectionOf(served)}/${name}`;
        const before = (await other.get(path)).json as TypedObject;
        const put = await api.put(path, annotated((await api.get(path)).json as TypedObject));
        assert.equal(put.status, 200, `${titleOf(written)}: ${JSON.stringify(put.json)}`);
        const after = (await other.get(path)).json as TypedObject;
        assertChanged(comparable(after), comparable(annotated(before)), titleOf(written));
        changed++;
      }
      assert.ok(changed > 40, String(changed));
    });
});
