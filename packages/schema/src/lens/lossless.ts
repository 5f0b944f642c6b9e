import type { Names } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { cloneJsonInPieces, isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import { compileCodec } from '../codec/compiler.ts';
import type { Codec, Decoded } from '../codec.ts';
import type { StructSchema } from '../schema.ts';
import { annotation, jsonAnnotation, setAnnotation } from './annotated.ts';
import { applyDifferences, type Difference, differences, readDifferences } from './differences.ts';
import type { Lens, LensDirection, LensScope } from './lens.ts';

export interface LosslessOptions {
  readonly hub: StructSchema;
  readonly older: StructSchema;
  /**
   * Annotations that the lens reads. Clients may write them too: when their values do not give a valid object of the
   * other version, they are not passed to the lens.
   */
  readonly carriers?: (names: Names) => readonly string[];
}

/** One direction: its target, its reverse, and the annotations of both versions. */
interface Way {
  readonly names: Names;
  readonly go: Lens['toHub'];
  readonly back: Lens['toHub'];
  readonly from: Codec;
  readonly to: Codec;
  /** Annotation on objects of the given version with the data that only the other one has fields for. */
  readonly takes: string;
  /** Annotation on objects of the other version with the data that only the given one has fields for. */
  readonly leaves: string;
  readonly carriers: readonly string[];
}

/**
 * Makes a lens lossless. Every object is converted there and back, and the differences are stored in an annotation of the
 * other version. The reverse conversion restores a stored value only where the converted value is unchanged since: changes
 * by clients take precedence. Objects without differences get no annotation.
 *
 * For lenses of whole kinds. Metadata is left to the lens.
 */
export function lossless(lens: Lens, { hub, older, carriers = () => [] }: LosslessOptions): Lens {
  const known = new WeakMap<Names, { readonly toHub: Way; readonly fromHub: Way }>();
  const waysFor = (names: Names): { readonly toHub: Way; readonly fromHub: Way } => {
    const ofHub = residueKey(names, hub);
    const ofOlder = residueKey(names, older);
    const hubCodec = compileCodec(hub, names);
    const olderCodec = compileCodec(older, names);
    const shared = { names, carriers: carriers(names) };
    const up = { go: lens.toHub, back: lens.fromHub, from: olderCodec, to: hubCodec };
    const down = { go: lens.fromHub, back: lens.toHub, from: hubCodec, to: olderCodec };
    return {
      toHub: { ...shared, ...up, takes: ofHub, leaves: ofOlder },
      fromHub: { ...shared, ...down, takes: ofOlder, leaves: ofHub },
    };
  };
  function* along(direction: LensDirection, value: MutableJsonObject, names: Names): Work<void> {
    const ways = known.get(names) ?? waysFor(names);
    known.set(names, ways);
    replaceBy(value, yield* crossed(value, ways[direction]));
  }
  return {
    toHub: (value, { names }) => atOnce(along('toHub', value, names)),
    fromHub: (value, { names }) => atOnce(along('fromHub', value, names)),
    inPieces: {
      toHub: (value, { names }) => along('toHub', value, names),
      fromHub: (value, { names }) => along('fromHub', value, names),
    },
  };
}

const residueKey = (names: Names, { name }: StructSchema): string =>
  `${names.annotations.nonConvertible}/${name}`;

function* crossed(value: MutableJsonObject, way: Way): Work<MutableJsonObject> {
  const { names, leaves } = way;
  // A field that every object of this version has may be missing in an object of a release that lacks it.
  const given = yield* contentIn(way.from, value);
  const { other, lost } = yield* read(value, given, way);
  // An annotation on the other version that is not written here is outdated, or was set by a client.
  const stale = annotation({ names, root: other }, leaves) !== undefined;
  if (lost.length === 0 && !stale) return other;
  setAnnotation({ names, root: other }, leaves, lost.length === 0 ? undefined : jsonAnnotation.write(lost));
  return other;
}

/** All but the metadata is decoded, which stays as it is: whoever uses the lens decodes its result. A pause follows. */
function* decoded(codec: Codec, object: MutableJsonObject): Work<Decoded> {
  const { metadata, ...others } = object;
  const result = yield* codec.decodeInPieces(others);
  yield;
  return metadata === undefined ? result : { ...result, value: Object.assign(result.value, { metadata }) };
}

/** An object in the other version, and what it lacks of the given one. */
interface Crossing {
  readonly other: MutableJsonObject;
  readonly lost: readonly Difference[];
}

function* read(value: MutableJsonObject, given: MutableJsonObject, way: Way): Work<Crossing> {
  const { names, takes, carriers } = way;
  const without = (other: MutableJsonObject): Work<Crossing> => compared(other, given, way);
  // Without an annotation that the lens reads there is only one result, and the value is needed no more.
  if ([takes, ...carriers].every((key) => annotation({ names, root: value }, key) === undefined))
    return yield* without((yield* gone(value, way)).value as MutableJsonObject);
  const copy = yield* cloneJsonInPieces(value);
  const noted = pull({ names, root: copy }, takes);
  const { value: plain, problems } = yield* gone(copy, way);
  if (problems.length > 0) return yield* without(yield* readWithout(value, way));
  const other = plain as MutableJsonObject;
  if (noted === undefined) return yield* without(other);
  const whole = yield* withNoted(other, noted, given, way);
  if (whole !== undefined) return whole;
  setAnnotation({ names, root: other }, takes, noted);
  return yield* without(other);
}

/** The decoded result of the lens, which consumes the value. */
function* gone(value: MutableJsonObject, { names, go, to }: Way): Work<Decoded> {
  go(value, { names, root: value });
  yield;
  return yield* decoded(to, value);
}

function* compared(other: MutableJsonObject, given: MutableJsonObject, way: Way): Work<Crossing> {
  const lost = differences(yield* returned(other, way), given);
  yield;
  return { other, lost };
}

/**
 * Restores the noted values. Undefined when the other version would then differ from the given one: an annotation must
 * not set values that a field can set, and that are validated there.
 */
function* withNoted(
  plain: MutableJsonObject,
  noted: string,
  given: MutableJsonObject,
  way: Way,
): Work<Crossing | undefined> {
  const list = readDifferences(jsonAnnotation.read(noted));
  if (list === undefined) return undefined;
  const copy = yield* cloneJsonInPieces(plain);
  applyDifferences(copy, list.filter(isOfContent));
  const { value, problems } = yield* decoded(way.to, copy);
  if (problems.length > 0) return undefined;
  const whole = yield* compared(value as MutableJsonObject, given, way);
  if (whole.lost.length === 0) return whole;
  const { lost } = yield* compared(plain, given, way);
  const inAnyCase = new Set(lost.map(jsonAnnotation.write));
  return whole.lost.map(jsonAnnotation.write).every((difference) => inAnyCase.has(difference))
    ? whole
    : undefined;
}

/** The object after a conversion to the other version and back. */
function* returned(other: MutableJsonObject, { names, back, from }: Way): Work<MutableJsonObject> {
  const copy = yield* cloneJsonInPieces(content(other));
  const { metadata } = other;
  // Of metadata, lenses change only annotations.
  if (isJsonObject(metadata))
    copy['metadata'] = { ...metadata, annotations: yield* cloneJsonInPieces(metadata['annotations']) };
  back(copy, { names, root: copy });
  yield;
  return yield* contentIn(from, copy);
}

/** The other version of what there is without annotations; they stay as they are. */
function* readWithout(
  value: MutableJsonObject,
  { names, go, to, takes, carriers }: Way,
): Work<MutableJsonObject> {
  const copy = yield* cloneJsonInPieces(value);
  const aside = [takes, ...carriers].map((key) => [key, pull({ names, root: copy }, key)] as const);
  go(copy, { names, root: copy });
  yield;
  for (const [key, text] of aside) if (text !== undefined) setAnnotation({ names, root: copy }, key, text);
  return (yield* decoded(to, copy)).value as MutableJsonObject;
}

/** What a codec reads of an object, without its metadata. */
function* contentIn(codec: Codec, object: MutableJsonObject): Work<MutableJsonObject> {
  return content((yield* decoded(codec, object)).value as MutableJsonObject);
}

/** Removes an annotation and returns its value. */
function pull(scope: LensScope, key: string): string | undefined {
  const text = annotation(scope, key);
  if (text !== undefined) setAnnotation(scope, key, undefined);
  return text;
}

const apart: ReadonlySet<unknown> = new Set(['metadata', 'kind', 'apiVersion']);

const isOfContent = ({ path }: Difference): boolean => path.length > 0 && !apart.has(path[0]);

const content = (object: MutableJsonObject): MutableJsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !apart.has(name)));

function replaceBy(target: MutableJsonObject, source: MutableJsonObject): void {
  for (const name of Object.keys(target)) delete target[name];
  Object.assign(target, source);
}
