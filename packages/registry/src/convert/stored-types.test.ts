import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { cloneJson, encodeJson, isJsonObject, parseJson } from '@orch/machinery/json';
import { arbitraryInput } from '@orch/schema/testing';
import fc from 'fast-check';
import { formsOf, storedRows } from '../testing/stored-rows.ts';

const names = namesFor('orch');
const others = [5, 5.5, -1, 1e300, true, 'x', '5', '2020-01-01T00:00:00Z', [], ['x'], {}, { a: 1 }, null];

/** Every place in a JSON value: its parent, and its name there. */
function placesIn(value: unknown): readonly (readonly [Record<string, unknown>, string])[] {
  if (!isJsonObject(value) && !Array.isArray(value)) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((name) => [[parent, name] as const, ...placesIn(parent[name])]);
}

/** The paths of every `null` in a JSON value. */
const nullsIn = (value: unknown, path = ''): readonly string[] =>
  value === null
    ? [path]
    : isJsonObject(value) || Array.isArray(value)
      ? Object.entries(value).flatMap(([name, each]) => nullsIn(each, `${path}/${name}`))
      : [];

const isChecked = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

describe('the check of stored bytes equals decoding', () => {
  for (const [title, stored] of storedRows()) {
    const { row, release } = stored;
    const [hub] = row.versions;
    assert.ok(hub !== undefined);
    const { json, codecs } = formsOf(stored);
    const codec = codecs.compile(hub.schema);
    const apiVersion = names.apiVersion(hub.group ?? row.group, hub.version);
    const metadata = { name: 'n', labels: { a: 'b' }, creationTimestamp: '2020-01-01T00:00:00Z' };

    it(`the check takes stored objects, and of others those that decode: ${title}, release ${release}`, () => {
      fc.assert(
        fc.property(
          arbitraryInput(hub.schema, 4),
          fc.nat(),
          fc.constantFrom(...others),
          (input, place, other) => {
            const sent = { ...(input as object), kind: row.kind, apiVersion, metadata };
            const object = codec.decode(sent).value;
            const written = encodeJson(object);
            assert.equal(codec.check(written), written);
            codec.check(Buffer.from(JSON.stringify(object, undefined, 1)));
            if (isChecked(() => json.encode(cloneJson(object))))
              assert.ok(isChecked(() => json.read(json.encode(cloneJson(object)).value)));
            const places = placesIn(object);
            const [parent, name] = places[place % places.length] ?? [{}, ''];
            parent[name] = other;
            const bytes = encodeJson(object);
            const { problems, value } = codec.decode(parseJson(bytes));
            const fits = problems.every(({ kind }) => kind !== 'type');
            assert.equal(
              isChecked(() => codec.check(bytes)),
              fits,
              String(bytes),
            );
            if (!fits) return;
            const checked = parseJson(codec.check(bytes));
            const nulls = new Set(nullsIn(value));
            assert.deepEqual(
              nullsIn(checked).filter((path) => !nulls.has(path)),
              [],
              String(bytes),
            );
            assert.deepEqual(codec.decode(checked).value, value);
          },
        ),
        { numRuns: 40 },
      );
    });
  }
});
