import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { type Codec, codecCompiler, type Lens } from '@orch/schema';
import { arbitraryInput } from '@orch/schema/testing';
import fc from 'fast-check';
import type { KindVersion, ResourceType } from '../resource-type.ts';

export interface LensLawOptions {
  /**
   * Changes a generated object to one that validation accepts, where the lens depends on it. Called with objects of
   * the hub and of older versions before anything is checked.
   */
  readonly tidy?: (object: ApiObject, version: KindVersion) => void;
  /** The number of objects; that of other properties when absent. */
  readonly runs?: number;
}

const names = namesFor('orch');
const compiler = codecCompiler(names);

/** One version of a kind: reads generated values and the results of a lens. */
interface VersionReader {
  readonly version: KindVersion;
  read(value: unknown): ApiObject;
}

function readerOf(type: ResourceType, version: KindVersion): VersionReader {
  const codec: Codec = compiler.compile(version.schema);
  const apiVersion = names.apiVersion(version.group ?? type.group, version.version);
  return {
    version,
    read(value) {
      const { kind } = type;
      const { value: object, problems } = codec.decode(
        { ...(value as object), kind, apiVersion },
        { typeMeta: { kind, apiVersion }, reportUnknown: true },
      );
      assert.deepEqual(problems, [], `not an object of ${apiVersion}`);
      return object;
    },
  };
}

/**
 * The laws of every lens of a resource definition, over generated objects: going to the other version and back gives an equal object, the
 * other version is one that its codec reads without any remark, and the lens does not keep parts of its input.
 */
export function describeLensLaws(type: ResourceType, options: LensLawOptions = {}): void {
  const [hub] = type.versions;
  assert.ok(hub !== undefined, `${type.resource} has no version`);
  describe(`lenses of ${type.group || 'core'} ${type.resource}`, () => {
    for (const version of type.versions) {
      const { lens } = version;
      if (lens === undefined) continue;
      const older = readerOf(type, version);
      const newer = readerOf(type, hub);
      const label = `${version.group ?? type.group}/${version.version}`;
      it(`${label} loses nothing on the way to the hub and back`, () => {
        check({ from: older, to: newer, go: toHub, back: fromHub }, lens, options);
      });
      it(`the hub loses nothing on the way to ${label} and back`, () => {
        check({ from: newer, to: older, go: fromHub, back: toHub }, lens, options);
      });
    }
  });
}

const toHub = (lens: Lens, object: ApiObject): ApiObject => {
  lens.toHub(object, { names, root: object });
  return object;
};

const fromHub = (lens: Lens, object: ApiObject): ApiObject => {
  lens.fromHub(object, { names, root: object });
  return object;
};

type Conversion = (lens: Lens, object: ApiObject) => ApiObject;

/** A conversion and its inverse. */
interface RoundTrip {
  readonly from: VersionReader;
  readonly to: VersionReader;
  readonly go: Conversion;
  readonly back: Conversion;
}

function check({ from, to, go, back }: RoundTrip, lens: Lens, { tidy, runs }: LensLawOptions): void {
  fc.assert(
    fc.property(arbitraryInput(from.version.schema, 7), (input) => {
      const raw = from.read(input);
      tidy?.(raw, from.version);
      const start = from.read(raw);
      const other = to.read(go(lens, cloneJson(start)));
      const returned = from.read(back(lens, cloneJson(other)));
      assert.deepEqual(returned, start);
    }),
    runs === undefined ? {} : { numRuns: runs },
  );
}
