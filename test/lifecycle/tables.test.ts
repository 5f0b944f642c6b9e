import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes, typesAt } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { selectableFields } from './field-labels.ts';
import { statusOf } from './statuses.ts';

const names = namesFor('kubernetes');

/** Every version of every stored kind. */
const versions = builtinTypes.flatMap((type) =>
  type.versions.map((version) => {
    const { kind = type.kind, subresources } = version.differs ?? {};
    return {
      apiVersion: names.apiVersion(version.group ?? type.group, version.version),
      kind,
      subresources: (subresources ?? type.subresources).map(({ name }) => name),
    };
  }),
);

describe('tables of the lifecycle tests', () => {
  for (const release of ['1.24', '1.27', '1.28', '1.30', '1.31', '1.37'])
    it(`the field label table equals the selectable fields of every version in release ${release}`, () => {
      for (const type of typesAt(release, builtinTypes, () => true))
        for (const version of type.served) {
          const { verbs = type.verbs, kind = type.kind, fields = type.fields } = version.differs ?? {};
          if (type.virtual === true || verbs.length === 0) continue;
          const apiVersion = names.apiVersion(version.group ?? type.group, version.version);
          const known = selectableFields({ apiVersion, kind, release }, { metadata: {} }).keys();
          const own = [...known].filter((field) => !field.startsWith('metadata.'));
          assert.deepEqual(own.sort(), Object.keys(fields).sort(), `${apiVersion} ${kind}`);
        }
    });

  it('the status table has every kind with a status subresource', () => {
    const missing = versions
      .filter(({ subresources }) => subresources.includes('status'))
      .filter(({ apiVersion, kind }) => statusOf(apiVersion, kind) === undefined)
      .map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    assert.deepEqual(missing, []);
  });
});
