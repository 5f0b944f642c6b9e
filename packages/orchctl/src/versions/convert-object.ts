import type { KindVersion } from '@orch/apis';
import type { ApiObject, Names } from '@orch/machinery';
import {
  asStringMap,
  cloneJson,
  isJsonObject,
  type JsonObject,
  jsonText,
  type MutableJsonObject,
} from '@orch/machinery/json';
import { type CodecCompiler, codecCompiler, type DecodeProblem } from '@orch/schema';
import { apiVersionOf, type FoundVersion } from './find-version.ts';

/** A field whose value is not in the file and differs between the versions. */
export interface ChangedDefault {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** An object in another version of its kind. */
export interface Conversion {
  readonly object: ApiObject;
  /** Defaults that differ. The converted object has the earlier values, where the new version has the field. */
  readonly changedDefaults: readonly ChangedDefault[];
  /** Paths of fields that the new version does not have. */
  readonly dropped: readonly string[];
  /** Fields of the input that its own version does not have, or that have the wrong type. */
  readonly problems: readonly DecodeProblem[];
}

/**
 * Converts an object to another version of its kind, from the declarations alone. Fields are as explicit as in the input,
 * except that defaults that differ between the versions are written out, so that the object keeps its meaning.
 */
export function convertObject(object: JsonObject, from: FoundVersion, to: KindVersion): Conversion {
  const steps = new ConversionSteps(from, to);
  const { value: input, problems } = steps.read(object);
  const converted = steps.convert(cloneJson(input), 'there');
  const [before, after] = [steps.withDefaults(cloneJson(input)), steps.targetDefaults(cloneJson(converted))];
  const changedDefaults = differences(before, after, '').filter(
    ({ field }) => !/^(?:metadata|status)\b/.test(field),
  );
  for (const { field, before: value } of changedDefaults)
    if (value !== undefined) setAt(converted, field, value);
  const back = steps.convert(cloneJson(converted), 'back');
  const dropped = differences(input, back, '')
    .filter(({ field, after: kept }) => kept === undefined && !field.startsWith('metadata.'))
    .map(({ field }) => field);
  removeMadeStatus(converted, object);
  return { object: converted, changedDefaults, dropped, problems };
}

/** An object with the defaults of its version, in the version in which rules beyond schemas are declared. */
export function withDefaultsInHub(object: JsonObject, from: FoundVersion): ApiObject {
  const [hub = from.version] = from.type.versions;
  const steps = new ConversionSteps(from, hub);
  return steps.convert(steps.ownDefaults(steps.read(object).value), 'there');
}

class ConversionSteps {
  readonly #names: Names;
  readonly #from: FoundVersion;
  readonly #to: FoundVersion;
  /** Without fields that the input does not have. */
  readonly #plain: CodecCompiler;
  readonly #full: CodecCompiler;

  constructor(from: FoundVersion, to: KindVersion) {
    this.#names = from.names;
    this.#from = from;
    this.#to = { ...from, version: to };
    this.#plain = codecCompiler(from.names, { quiet: () => true });
    this.#full = codecCompiler(from.names);
  }

  read(object: JsonObject) {
    return this.#plain.compile(this.#from.version.schema).decode(object, { reportUnknown: true });
  }

  /** Consumes the value. Data that the target has no field for is lost. */
  convert(value: ApiObject, way: 'there' | 'back'): ApiObject {
    const [from, to] = way === 'there' ? [this.#from, this.#to] : [this.#to, this.#from];
    const known = new Set(Object.keys(asStringMap(metadataOf(value)?.annotations)));
    const hub = this.#hub();
    const inHub = this.#through(value, from.version.lens?.toHub, hub);
    const converted = this.#through(inHub, to.version.lens?.fromHub, to.version);
    converted.apiVersion = apiVersionOf(to);
    converted.kind = to.version.differs?.kind ?? to.type.kind;
    return withoutAnnotations(converted, known);
  }

  /** The input with the defaults of its version, and those of the target, in the target. */
  withDefaults(value: ApiObject): ApiObject {
    return this.targetDefaults(this.convert(this.ownDefaults(value), 'there'));
  }

  ownDefaults(value: ApiObject): ApiObject {
    this.#full.compile(this.#from.version.schema).applyDefaults(value);
    return value;
  }

  targetDefaults(value: ApiObject): ApiObject {
    this.#full.compile(this.#to.version.schema).applyDefaults(value);
    return value;
  }

  #hub(): KindVersion {
    return this.#from.type.versions[0] ?? this.#from.version;
  }

  #through(
    value: ApiObject,
    go: ((value: MutableJsonObject, scope: { names: Names; root: MutableJsonObject }) => void) | undefined,
    version: KindVersion,
  ): ApiObject {
    const root = value as unknown as MutableJsonObject;
    go?.(root, { names: this.#names, root });
    return this.#plain.compile(version.schema).decode(root).value;
  }
}

/** The metadata of an object of a file, which reviews do not need. */
const metadataOf = (object: Partial<ApiObject>): ApiObject['metadata'] | undefined => object.metadata;

/** Removes annotations that carry data for conversions: it has no place in a file. */
function withoutAnnotations(object: ApiObject, known: ReadonlySet<string>): ApiObject {
  const own = metadataOf(object);
  if (own === undefined) return object;
  const { annotations, ...metadata } = own;
  const kept = Object.entries(asStringMap(annotations)).filter(([name]) => known.has(name));
  return {
    ...object,
    metadata: kept.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(kept) },
  };
}

/** Removes each status, also that of a template in a list, that the input does not have: the server writes it. */
function removeMadeStatus(converted: unknown, input: unknown): void {
  if (Array.isArray(converted) && Array.isArray(input)) {
    converted.forEach((item, i) => {
      removeMadeStatus(item, input[i]);
    });
    return;
  }
  if (!isJsonObject(converted) || !isJsonObject(input)) return;
  if (isJsonObject(converted['status']) && input['status'] === undefined)
    delete (converted as MutableJsonObject)['status'];
  for (const [name, value] of Object.entries(converted)) removeMadeStatus(value, input[name]);
}

/** The paths at which two values differ: whole values that one of them lacks, and scalars. */
function differences(before: unknown, after: unknown, path: string): readonly ChangedDefault[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      differences(before[name], after[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, i) => differences(item, after[i], `${path}[${i}]`));
  return jsonText(before ?? null) === jsonText(after ?? null) ? [] : [{ field: path, before, after }];
}

/** Sets the field at a path of `differences`; parents exist or are created. */
function setAt(object: ApiObject, path: string, value: unknown): void {
  const steps = path.match(/[^.[\]]+/g) ?? [];
  let at: unknown = object;
  for (const [i, step] of steps.entries()) {
    if (i === steps.length - 1) put(at, step, value);
    else at = child(at, step);
  }
}

function child(parent: unknown, step: string): unknown {
  if (Array.isArray(parent)) return parent[Number(step)];
  if (!isJsonObject(parent)) return undefined;
  const fields = parent as MutableJsonObject;
  fields[step] ??= {};
  return fields[step];
}

function put(parent: unknown, step: string, value: unknown): void {
  if (Array.isArray(parent)) parent[Number(step)] = value;
  else if (isJsonObject(parent)) (parent as MutableJsonObject)[step] = value;
}
