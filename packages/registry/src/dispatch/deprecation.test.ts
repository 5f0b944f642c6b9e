import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { atLeast, builtinTypes, type Release, typesAt } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import type { ResourceContext } from '@orch/request';
import type { ServedResource } from '../resource/served-resource.ts';
import { deprecations } from './deprecation.ts';

interface Line {
  readonly since: Release;
  /** The first release that does not warn any more. */
  readonly until: Release;
  readonly warning: string;
}

/** The warnings of the reference, from the lifecycle that the source of each release declares. */
const lines = readFileSync(new URL('deprecation.fixture.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Line => JSON.parse(line));

const names = namesFor('kubernetes');
/** The lifecycle of these kinds is not declared beside their fields. */
const declaredElsewhere = new Set(['v1 ComponentStatus', 'v1 Endpoints']);
const releases = Array.from({ length: 14 }, (_, i): Release => `1.${24 + i}`);

/** The warnings about the versions of a release, all of which are enabled, by version and kind. */
function warningsIn(release: Release): ReadonlyMap<string, string | undefined> {
  const deprecationOf = deprecations(release, testEnv().metrics, names);
  const found = new Map<string, string | undefined>();
  for (const type of typesAt(release, builtinTypes, () => true))
    for (const declared of type.served) {
      const { version, group = type.group } = declared;
      const apiVersion = names.apiVersion(group, version);
      const served = { type, version, group, declared, apiVersion } as unknown as ServedResource;
      const call = { info: { subresource: '' }, trace: {} } as unknown as ResourceContext;
      const reply = { kind: 'bytes', status: 200, headers: {}, body: Buffer.of() } as const;
      const answer = deprecationOf(served)?.(() => reply, call);
      assert.ok(!(answer instanceof Promise));
      const [text] = answer?.headers['Warning'] ?? [];
      found.set(`${apiVersion} ${type.kind}`, text?.slice('299 - "'.length, -1));
    }
  return found;
}

describe('warnings about deprecated versions', () => {
  for (const release of releases) {
    it(`every version that ${release} has is warned of as the reference does, or not at all`, () => {
      const inForce = lines.filter(({ since, until }) => atLeast(release, since) && !atLeast(release, until));
      const expected = new Map(
        inForce.map(({ warning }) => [warning.slice(0, warning.indexOf(' is deprecated')), warning]),
      );
      for (const [kind, warning] of warningsIn(release))
        if (!declaredElsewhere.has(kind)) assert.equal(warning, expected.get(kind), kind);
    });
  }
});
