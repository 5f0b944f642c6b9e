import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { selectableFields } from './field-labels.ts';
import { statusOf } from './statuses.ts';

const names = namesFor('kubernetes');

/** Every version of every stored kind. */
const versions = builtinTypes.flatMap((type) =>
  type.versions.map((version) => {
    const { verbs = type.verbs, kind = type.kind, fields, subresources } = version.differs ?? {};
    return {
      apiVersion: names.apiVersion(version.group ?? type.group, version.version),
      kind,
      isStored: type.virtual !== true && verbs.length > 0,
      fields: Object.keys(fields ?? type.fields),
      subresources: (subresources ?? type.subresources).map(({ name }) => name),
    };
  }),
);

describe('tables of the lifecycle tests', () => {
  it('the field label table equals the selectable fields of every version', () => {
    for (const { apiVersion, kind, isStored, fields } of versions) {
      if (!isStored) continue;
      const known = selectableFields(apiVersion, kind, { metadata: {} }).keys();
      const own = [...known].filter((field) => !field.startsWith('metadata.'));
      assert.deepEqual(own.sort(), [...fields].sort(), `${apiVersion} ${kind}`);
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
