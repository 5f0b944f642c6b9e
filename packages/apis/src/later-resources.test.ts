import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { type Release, servedIn, typesAt } from './lifecycle.ts';
import { builtinTypes } from './registry.ts';
import { runtimeConfig } from './runtime-config.ts';

/** A resource or subresource in one version, in the releases that serve it. */
interface Row {
  readonly version: string;
  readonly resource: string;
  readonly introduced?: Release;
  readonly removed?: Release;
  /** Served only when `--runtime-config` names it. */
  readonly onRequest?: true;
}

const fixture = new URL('testing/later-resources.fixture.jsonl', import.meta.url);
const rows: readonly Row[] = readFileSync(fixture, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const names = namesFor('orch');
const releases = Array.from({ length: 10 }, (_one, i): Release => `1.${28 + i}`);

function served(release: Release, settings: readonly string[]): readonly string[] {
  const types = typesAt(release, builtinTypes, runtimeConfig(settings, builtinTypes, names));
  return types.flatMap((type) =>
    type.served.flatMap(({ group = type.group, version, differs }) =>
      ['', ...(differs?.subresources ?? type.subresources).map(({ name }) => `/${name}`)].map(
        (name) => `${group}/${version} ${type.resource}${name}`,
      ),
    ),
  );
}

const expected = (release: Release, includes: (row: Row) => boolean): readonly string[] =>
  rows
    .filter((row) => servedIn(release, row) && includes(row))
    .map(({ version, resource }) => `${version} ${resource}`);

describe('resources of later releases', () => {
  for (const release of releases) {
    it(`release ${release} serves by default the resources of the published definitions`, () =>
      assert.deepEqual(
        served(release, []).toSorted(),
        expected(release, ({ onRequest }) => onRequest !== true).toSorted(),
      ));

    it(`release ${release} serves all resources of the published definitions on request`, () => {
      const all = new Set(served(release, ['api/all=true']));
      assert.deepEqual(
        expected(release, () => true).filter((one) => !all.has(one)),
        [],
      );
    });
  }
});
