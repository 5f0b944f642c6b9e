import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { codecCompiler } from '@orch/schema';
import { arbitraryInput } from '@orch/schema/testing';
import fc from 'fast-check';
import { builtinTypes } from './registry.ts';
import type { KindVersion, ResourceType } from './resource-type.ts';

// Annotations hold values for which one of two versions has no field. Clients can write them, so they are as
// untrusted as a body.

const names = namesFor('orch');
const compiler = codecCompiler(names);
const prefixes = [names.annotations.autoscalingAlpha, names.annotations.nonConvertible];

/** Every path within a value. */
function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const below = Array.isArray(value)
    ? value.flatMap((item, i) => pathsOf(item, [...path, i]))
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([name, field]) => pathsOf(field, [...path, name]))
      : [];
  return [path, ...below];
}

const anyValue = fc.oneof(
  fc.constantFrom<unknown>(null, 0, -1, '', 'a', [], {}, [null], { a: null }, 2 ** 53, '1e999'),
  fc.jsonValue({ maxDepth: 3 }),
);

const steps = fc.array(
  fc.oneof(fc.constantFrom('spec', 'status', 'metadata', '__proto__', 'constructor', 'kind', 0), fc.string()),
  { maxLength: 4 },
);

/** Strings that a client might put into an annotation: anything, and differences at existing paths. */
const texts = (object: ApiObject): fc.Arbitrary<string> => {
  const paths = pathsOf(object);
  const path = fc.oneof(
    fc.nat().map((i) => paths[i % paths.length] ?? []),
    steps,
  );
  const difference = fc.record({ path, was: anyValue, is: anyValue }, { requiredKeys: ['path'] });
  return fc.oneof(
    fc.array(difference, { maxLength: 3 }).map((list) => JSON.stringify(list)),
    anyValue.map((value) => JSON.stringify(value)),
    fc.string(),
  );
};

function keysOf(type: ResourceType): readonly string[] {
  const [alpha, residue] = prefixes;
  return [
    ...['metrics', 'behavior', 'conditions', 'current-metrics'].map((name) => `${alpha}/${name}`),
    ...type.versions.map(({ schema }) => `${residue}/${schema.name}`),
  ];
}

function check(type: ResourceType, hub: KindVersion, version: KindVersion): void {
  const { lens } = version;
  if (lens === undefined) return;
  const older = compiler.compile(version.schema);
  const newer = compiler.compile(hub.schema);
  const input = arbitraryInput(version.schema, 6).map((value) => older.decode(value).value);
  const annotated = input.chain((object) =>
    fc.tuple(
      fc.constant(object),
      fc.dictionary(fc.constantFrom(...keysOf(type)), texts(object), { minKeys: 1 }),
    ),
  );
  fc.assert(
    fc.property(annotated, ([object, annotations]) => {
      const root: ApiObject = { ...object, metadata: { ...object.metadata, annotations } };
      const { name, uid } = root.metadata;
      lens.toHub(root, { names, root });
      const read = newer.decode(root, { reportUnknown: true });
      assert.deepEqual(read.problems, []);
      assert.deepEqual([root.metadata.name, root.metadata.uid], [name, uid]);
      assert.equal(Object.getPrototypeOf(root), Object.prototype);
      lens.fromHub(root, { names, root });
      assert.deepEqual(older.decode(root, { reportUnknown: true }).problems, []);
    }),
    { numRuns: 150 },
  );
}

describe('forged annotations', () => {
  const groups = new Set(['autoscaling', 'policy', 'networking', 'discovery']);
  for (const type of builtinTypes.filter(({ group }) => groups.has(group))) {
    const [hub, ...others] = type.versions;
    for (const version of others.filter(({ lens }) => lens !== undefined)) {
      const label = `${version.group ?? type.group}/${version.version} ${type.kind}`;
      it(`forged annotations on ${label} always result in a valid object of the hub version`, () => {
        assert.ok(hub);
        check(type, hub, version);
      });
    }
  }
});
