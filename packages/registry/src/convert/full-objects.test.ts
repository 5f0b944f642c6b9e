import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  applyConfig,
  applyMergePatch,
  type RawEntry,
  Shapes,
  StrategicMerge,
  updateOwnership,
} from '@orch/apply';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson, encodeJson, isJsonObject, parseJson } from '@orch/machinery/json';
import { fullValue } from '@orch/schema/testing';
import { formsOf, storedRows } from '../testing/stored-rows.ts';
import { kindVersions } from './ownership.ts';

const now = '2024-01-01T00:00:00Z';

/**
 * Fields of an owner without those of maps and lists as such, which an apply does not own, and without empty objects, which
 * only an apply owns.
 */
function leavesOf(fields: unknown, value: unknown): unknown {
  if (!isJsonObject(fields)) return fields;
  const valueUnder = (element: string): unknown =>
    isJsonObject(value) && element.startsWith('f:') ? value[element.slice(2)] : undefined;
  const isEmpty = (one: unknown): boolean => isJsonObject(one) && Object.keys(one).length === 0;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([element]) => element !== '.' && !isEmpty(valueUnder(element)))
      .map(([element, below]) => [element, leavesOf(below, valueUnder(element))]),
  );
}

const ownedBy = (entries: readonly RawEntry[], object: object): readonly unknown[] =>
  entries.map((entry) => leavesOf(entry['fieldsV1'], object));

describe('objects with every field set', () => {
  const names = namesFor('orch');
  for (const [title, stored] of storedRows()) {
    const { row, release } = stored;
    const { codecs } = formsOf(stored);
    for (const { schema, version, group = row.group } of row.versions) {
      // The parent of `replicationcontrollers/scale` in extensions has no content.
      if (!schema.fields.some(({ name }) => name === 'metadata')) continue;
      const apiVersion = names.apiVersion(group, version);
      it(`every write takes a full object as it is printed: ${title}, release ${release}, in ${apiVersion}`, () => {
        const codec = codecs.compile(schema);
        const { metadata: whole, ...content } = fullValue(schema) as ApiObject;
        const { managedFields: _owners, ...metadata } = whole;
        const full = { ...content, kind: row.kind, apiVersion, metadata };
        const { value: printed, problems } = codec.decode(full, { reportUnknown: true, defaults: true });
        assert.deepEqual(problems, [], 'the object fits');
        const sent = (): ApiObject => parseJson(encodeJson(printed)) as ApiObject;
        const again = codec.decode(sent(), { reportUnknown: true, defaults: true });
        assert.deepEqual([again.problems, again.value], [[], printed], 'create and update');
        assert.deepEqual(applyMergePatch(sent(), sent()), sent(), 'merge patch');
        const strategic = new StrategicMerge(names).apply(sent(), sent(), schema);
        assert.deepEqual(
          codec.decode(strategic, { reportUnknown: true }).value,
          printed,
          'strategic merge patch',
        );
        const versions = kindVersions(row, { names, release, codecs, shapes: new Shapes(names) });
        const write = { versions, apiVersion, manager: 'm', now };
        const created = updateOwnership({ ...write, live: undefined, next: cloneJson(printed) as ApiObject });
        const applied = applyConfig({ ...write, live: undefined, config: sent(), force: false });
        assert.equal(applied.kind, 'applied', JSON.stringify(applied).slice(0, 500));
        if (applied.kind !== 'applied') return;
        assert.deepEqual(codec.decode(applied.object, { reportUnknown: true }).problems, []);
        assert.deepEqual(
          ownedBy(applied.managedFields, printed),
          ownedBy(created.managedFields, printed),
          'owners',
        );
        const next = applyConfig({
          ...write,
          live: created.object,
          config: sent(),
          force: false,
          manager: 'n',
        });
        assert.ok(next.kind === 'applied', JSON.stringify(next).slice(0, 500));
        const { managedFields: _after, ...rest } = next.object['metadata'] as Record<string, unknown>;
        assert.deepEqual(
          { ...next.object, metadata: rest },
          sent(),
          'an apply of what is stored changes no value',
        );
      });
    }
  }
});
