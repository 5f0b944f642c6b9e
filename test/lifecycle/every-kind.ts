import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { builtinTypes, type Release, typesAt } from '@orch/apis';
import { type Names, type Naming, namesFor } from '@orch/machinery';
import type { StoredEncoding } from '@orch/registry';
import { ApiFixture } from '@orch/server/testing';
import { isServedIn, resourcesServedIn } from './api-lifecycle.ts';
import { canonicalName } from './canonical-names.ts';
import { protobufClient } from './client.ts';
import { warningOf } from './expected-warnings.ts';
import { KindDefinitions } from './kind-definitions.ts';
import { type Manifest, manifestsOf, readManifests, translator } from './manifests.ts';
import { collectionOf, type ServedKind, servedKinds, siblingsOf } from './served-kinds.ts';
import { expectStatus } from './steps/context.ts';
import { createAndRemove, runLifecycle, type TestedServer } from './steps/run-lifecycle.ts';
import { send } from './steps/sending.ts';

/** Alpha features that add a subresource. */
const openGates = new Set(['NetworkPolicyStatus']);

/** Objects of other kinds cannot be created by clients. */
const isMade = ({ verbs }: ServedKind): boolean => verbs.includes('create');
const isStored = (served: ServedKind): boolean => served.storageVersionHash !== undefined;

export interface EveryKind {
  readonly release: Release;
  readonly storedAs: StoredEncoding;
}

/**
 * Tests every kind that servers of some releases serve, alpha versions included, from creation to deletion. The kinds come
 * from discovery, the objects from the folder of manifests. A kind passes every operation in the first of the releases, and in
 * each release that serves it in another form; in the others it is created, read and deleted. Forms differ between namings, which
 * are two files.
 */
export function describeEveryKind(naming: Naming, servers: readonly EveryKind[]): void {
  const forms = new Set<string>();
  for (const server of servers) describeRelease(naming, server, forms);
}

/** `forms` are those in which kinds have passed every operation. */
function describeRelease(naming: Naming, { release, storedAs }: EveryKind, forms: Set<string>): void {
  describe(`release ${release}, ${naming} names, stored as ${storedAs}`, () => {
    it(`release ${release} serves every kind from creation to deletion, ${naming} names, stored as ${storedAs}`, async (t) => {
      const names = namesFor(naming);
      await using api = await ApiFixture.open({
        release,
        naming,
        storedAs,
        isEnabled: () => true,
        openGates,
        // The server would change the status of the API service at any time.
        maintainsApiServices: false,
      });
      const all = await servedKinds(api, release);
      assertAllDeclared(all, names, release);
      const server = { api, protobuf: protobufClient(names, release, openGates), all };
      await t.test(`resources that release ${release} does not serve are answered with 404`, () =>
        assertRemoved(server, release),
      );
      await t.test(`only deprecated versions of release ${release} are answered with a warning`, () =>
        assertWarned(server),
      );
      const definitions = new KindDefinitions((await api.get('/openapi/v2')).json, names);
      await t.test(`OpenAPI of release ${release} defines every kind`, () =>
        assertDocumented(server, definitions),
      );
      for (const served of all.filter(isMade))
        await describeKind(t, server, served, (manifest) => {
          const form = `${formOf(server, served, definitions)} ${manifest.path}`;
          return forms.size < forms.add(form).size;
        });
    });
  });
}

function assertAllDeclared(all: readonly ServedKind[], names: Names, release: Release): void {
  const declared = typesAt(release, builtinTypes, () => true).flatMap(({ served, group, resource }) =>
    served.map((version) => `${names.apiVersion(version.group ?? group, version.version)} ${resource}`),
  );
  const listed = all.map(({ apiVersion, resource }) => `${apiVersion} ${resource}`);
  assert.deepEqual(listed.sort(), declared.sort(), 'discovery lists everything that is declared');
}

/** Groups, versions and resources of other releases are not served. */
async function assertRemoved({ api, all }: TestedServer, release: Release): Promise<void> {
  const listed = new Set(
    all.map(({ apiVersion, resource }) => `${canonicalName(apiVersion, api.names)} ${resource}`),
  );
  for (const title of resourcesServedIn(release))
    assert.ok(listed.has(title), `${title} is served in ${release}`);
  for (const title of listed) {
    const [apiVersion = '', resource = ''] = title.split(' ');
    assert.ok(isServedIn(release, apiVersion, resource), `${title} is not served in ${release}`);
  }
  const paths = removedPaths(api.names, listed);
  assert.ok(paths.length > 0, 'every release lacks some resource');
  for (const path of paths) expectStatus(404, await api.get(path), path);
}

/** Paths of all resources that are declared and not in a list. */
function removedPaths(names: Names, listed: ReadonlySet<string>): readonly string[] {
  return builtinTypes.flatMap(({ versions, group, resource }) =>
    versions
      .map((version) => names.apiVersion(version.group ?? group, version.version))
      .filter((apiVersion) => !listed.has(`${canonicalName(apiVersion, names)} ${resource}`))
      .map((apiVersion) => `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/${resource}`),
  );
}

/** Every answer of a deprecated version carries a warning, and no other does. */
async function assertWarned({ api, all }: TestedServer): Promise<void> {
  for (const served of all.filter(({ verbs }) => verbs.includes('list'))) {
    const { headers } = await api.get(collectionOf(served));
    const apiVersion = canonicalName(served.apiVersion, api.names);
    const text = warningOf(served.release, { ...served, apiVersion });
    const expected = text === undefined ? undefined : [`299 - "${translator(api.names)(text)}"`];
    assert.deepEqual(headers['Warning'], expected, `${served.apiVersion} ${served.resource}`);
  }
}

/** OpenAPI has a definition of every kind, with its fields, under its group, version and kind. */
async function assertDocumented({ all }: TestedServer, definitions: KindDefinitions): Promise<void> {
  const missing = all
    .filter(({ verbs }) => verbs.length > 0)
    .map(titleOf)
    .filter((title) => !definitions.has(title));
  assert.deepEqual(missing, []);
}

const titleOf = ({ group, version, kind }: ServedKind): string => `${group}/${version} ${kind}`;

/** Everything that a release can change of a kind: its fields, verbs and subresources, and the other versions of its objects. */
function formOf({ all }: TestedServer, served: ServedKind, definitions: KindDefinitions): string {
  const { verbs, subresources } = served;
  const siblings = siblingsOf(served, all).map(({ apiVersion }) => apiVersion);
  return JSON.stringify([definitions.textOf(titleOf(served)), verbs, subresources, siblings]);
}

async function describeKind(
  t: TestContext,
  server: TestedServer,
  served: ServedKind,
  isNewForm: (manifest: Manifest) => boolean,
): Promise<void> {
  const { apiVersion, kind, release } = served;
  const manifests = manifestsOf(readManifests(server.api.names), served);
  if (manifests.length === 0)
    await t.test(`${apiVersion} ${kind} has a manifest in test/lifecycle/manifests`, () =>
      assert.fail('there is no manifest'),
    );
  for (const manifest of manifests) {
    const isNew = isStored(served) && isNewForm(manifest);
    const operations = isNew ? 'every operation' : 'creation and deletion as in an earlier release';
    const steps = !isStored(served) ? send : isNew ? runLifecycle : createAndRemove;
    await t.test(
      `${apiVersion} ${kind} passes ${operations} with ${manifest.path} in release ${release}`,
      () => steps(server, served, manifest),
    );
  }
}
