import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Release } from '@orch/apis';
import { type ApiClient, launchServer } from '@orch/testkit';

/** A resource in the discovery document of a group version, as the reference serves it by default in some releases. */
interface Row {
  readonly releases: readonly Release[];
  readonly groupVersion: string;
  readonly resource: Readonly<Record<string, unknown>>;
}

interface Groups {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string; readonly version: string }[];
    readonly preferredVersion: { readonly version: string };
  }[];
}

const lines = readFileSync(join(import.meta.dirname, 'discovery-of-releases.fixture.jsonl'), 'utf8');
const [first = '', ...rest] = lines.trimEnd().split('\n');
/** The groups of each release in their order, with their versions, the preferred one first. */
const groupsOf = JSON.parse(first) as Readonly<Record<Release, readonly string[]>>;
const rows: readonly Row[] = rest.map((line) => JSON.parse(line));

async function documentOf<T>(client: ApiClient, path: string): Promise<T> {
  const { status, json } = await client.get(path);
  assert.equal(status, 200, path);
  return json as T;
}

/** The parts of a resource that do not depend on its objects. */
const comparable = (groupVersion: string, resource: Readonly<Record<string, unknown>>): string => {
  const { storageVersionHash: _hash, ...parts } = resource;
  return `${groupVersion} ${JSON.stringify(Object.entries(parts).sort())}`;
};

/** A subresource that needs an alpha feature here (docs/compatibility.md). */
const isLeftOut = (release: Release, { name }: Row['resource']): boolean =>
  release === '1.24' && name === 'networkpolicies/status';

/**
 * The versions of a group that prefers the first one a release later than the reference does: the release before does not
 * serve it (spec 9.3, rule 4b).
 */
const preferredLater: Readonly<Record<Release, Readonly<Record<string, string>>>> = {
  '1.29': { 'flowcontrol.apiserver.k8s.io v1 v1beta3': 'flowcontrol.apiserver.k8s.io v1beta3 v1' },
};

describe('discovery compared with that of the reference', () => {
  for (const [release, expected] of Object.entries(groupsOf))
    it(`release ${release} serves the groups, versions, resources, verbs and names of the reference by default`, async () => {
      await using server = await launchServer({ naming: 'kubernetes', release });
      const { client } = server;
      const { groups } = await documentOf<Groups>(client, '/apis');
      assert.deepEqual(
        groups.map(({ name, versions }) => [name, ...versions.map(({ version }) => version)].join(' ')),
        expected.map((group) => preferredLater[release]?.[group] ?? group),
      );
      for (const { versions, preferredVersion } of groups)
        assert.equal(preferredVersion.version, versions[0]?.version);
      const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
      const served: string[] = [];
      for (const groupVersion of ['v1', ...versions]) {
        const path = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
        const { resources } = await documentOf<{ resources: Row['resource'][] }>(client, path);
        served.push(...resources.map((resource) => comparable(groupVersion, resource)));
      }
      assert.deepEqual(
        served.sort(),
        rows
          .filter(({ releases, resource }) => releases.includes(release) && !isLeftOut(release, resource))
          .map(({ groupVersion, resource }) => comparable(groupVersion, resource))
          .sort(),
      );
    });
});
