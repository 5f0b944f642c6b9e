import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { builtinTypes, type Release, typesAt } from '@orch/apis';
import { type Names, type Naming, namesFor } from '@orch/machinery';
import type { StoredEncoding } from '@orch/registry';
import { ApiFixture } from '@orch/server/testing';
import { isServedIn, servedLives, warningOf } from './api-lifecycle.ts';
import { neutralFormOf } from './canonical-names.ts';
import { protobufClient } from './client.ts';
import { manifestsOf, readManifests, translator } from './manifests.ts';
import { collectionOf, type ServedKind, servedKinds } from './served-kinds.ts';
import { expectStatus } from './steps/context.ts';
import { type Surroundings, wholeLife } from './steps/run-lifecycle.ts';
import { send } from './steps/sending.ts';

/** Alpha features that have a subresource, of which nothing is to be seen without them. */
const openGates = new Set(['NetworkPolicyStatus']);

/** Others cannot be made: what is shown of them comes from elsewhere. */
const isMade = ({ verbs }: ServedKind): boolean => verbs.includes('create');
const isStored = (served: ServedKind): boolean => served.storageVersionHash !== undefined;

export interface EveryKind {
  readonly release: Release;
  readonly naming: Naming;
  readonly storedAs: StoredEncoding;
}

/**
 * Takes every kind that a server of one release serves, alpha versions included, through its life: what there is comes
 * from discovery, what is sent from the folder of manifests.
 */
export function describeEveryKind({ release, naming, storedAs }: EveryKind): void {
  describe(`release ${release}, ${naming} names, stored as ${storedAs}`, () => {
    it('every kind', async (t) => {
      const names = namesFor(naming);
      await using api = await ApiFixture.open({
        release,
        naming,
        storedAs,
        isEnabled: () => true,
        openGates,
      });
      const all = await servedKinds(api, release);
      assertAllDeclared(all, names, release);
      const around = { api, protobuf: protobufClient(names, release, openGates), all };
      await t.test('what is removed is not found', () => assertRemoved(around, release));
      await t.test('what is deprecated says so', () => assertWarned(around));
      await t.test('is documented', () => assertDocumented(around));
      for (const served of all.filter(isMade)) await describeKind(t, around, served);
    });
  });
}

function assertAllDeclared(all: readonly ServedKind[], names: Names, release: Release): void {
  const declared = typesAt(release, builtinTypes, () => true).flatMap(({ served, group, resource }) =>
    served.map((version) => `${names.apiVersion(version.group ?? group, version.version)} ${resource}`),
  );
  const listed = all.map(({ apiVersion, resource }) => `${apiVersion} ${resource}`);
  assert.deepEqual(listed.sort(), declared.sort(), 'discovery tells of everything that is declared');
}

/** Manifests of other releases have nowhere to go: not their group, not their version, or not their resource. */
async function assertRemoved({ api, all }: Surroundings, release: Release): Promise<void> {
  const listed = new Set(
    all.map(({ apiVersion, resource }) => `${neutralFormOf(apiVersion, api.names)} ${resource}`),
  );
  for (const title of servedLives(release)) assert.ok(listed.has(title), `${title} is served in ${release}`);
  for (const title of listed) {
    const [apiVersion = '', resource = ''] = title.split(' ');
    assert.ok(isServedIn(release, apiVersion, resource), `${title} is not served in ${release}`);
  }
  const paths = removedPaths(api.names, listed);
  assert.ok(paths.length > 0, 'no release has everything');
  for (const path of paths) expectStatus(404, await api.get(path), path);
}

/** Paths of all resources that are declared and not in a list. */
function removedPaths(names: Names, listed: ReadonlySet<string>): readonly string[] {
  return builtinTypes.flatMap(({ versions, group, resource }) =>
    versions
      .map((version) => names.apiVersion(version.group ?? group, version.version))
      .filter((apiVersion) => !listed.has(`${neutralFormOf(apiVersion, names)} ${resource}`))
      .map((apiVersion) => `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/${resource}`),
  );
}

/** Every answer of a deprecated version carries a warning, and no other does. */
async function assertWarned({ api, all }: Surroundings): Promise<void> {
  for (const served of all.filter(({ verbs }) => verbs.includes('list'))) {
    const { headers } = await api.get(collectionOf(served));
    const apiVersion = neutralFormOf(served.apiVersion, api.names);
    const text = warningOf(served.release, { ...served, apiVersion });
    const expected = text === undefined ? undefined : [`299 - "${translator(api.names)(text)}"`];
    assert.deepEqual(headers['Warning'], expected, `${served.apiVersion} ${served.resource}`);
  }
}

interface Definition {
  readonly properties?: object;
  readonly [extension: string]: unknown;
}

/** OpenAPI has a definition of every kind, with its members, under its group, version and kind. */
async function assertDocumented({ api, all }: Surroundings): Promise<void> {
  const { definitions } = (await api.get('/openapi/v2')).json as {
    readonly definitions: Readonly<Record<string, Definition>>;
  };
  const extension = api.names.schemaExtensions.groupVersionKind;
  const documented = new Set<string>();
  for (const definition of Object.values(definitions)) {
    const kinds = (definition[extension] ?? []) as readonly {
      group: string;
      version: string;
      kind: string;
    }[];
    const { metadata } = (definition.properties ?? {}) as { readonly metadata?: unknown };
    for (const { group, version, kind } of metadata === undefined ? [] : kinds)
      documented.add(`${group}/${version} ${kind}`);
  }
  const missing = all
    .filter(({ verbs }) => verbs.length > 0)
    .map(({ group, version, kind }) => `${group}/${version} ${kind}`)
    .filter((title) => !documented.has(title));
  assert.deepEqual(missing, []);
}

async function describeKind(t: TestContext, around: Surroundings, served: ServedKind): Promise<void> {
  const { apiVersion, kind } = served;
  const manifests = manifestsOf(readManifests(around.api.names), served);
  if (manifests.length === 0)
    await t.test(`${apiVersion} ${kind}`, () =>
      assert.fail('there is no manifest of it in test/lifecycle/manifests'),
    );
  for (const manifest of manifests) {
    await t.test(`${apiVersion} ${kind}: ${manifest.path}`, () =>
      isStored(served) ? wholeLife(around, served, manifest) : send(around, served, manifest),
    );
  }
}
