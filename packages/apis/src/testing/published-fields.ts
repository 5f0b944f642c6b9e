import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  publishedValues,
  reaches,
  resolveRef,
  type ScalarType,
  type Schema,
  type SchemaRef,
  type StructSchema,
} from '@orch/schema';
import { fieldDeclaredIn } from '../gates/declared-fields.ts';
import { atLeast, fieldServedIn, type Release, servedIn } from '../lifecycle.ts';
import { auxiliaryKinds, builtinTypes } from '../registry.ts';

/** The file with the published fields, which `scripts/published-fields.ts` writes. */
export const publishedFieldsFile = join(import.meta.dirname, 'published-fields.json');

/** A field of a Protobuf message, by its canonical name in JSON; that of a field which its parent includes is empty. */
export interface PublishedField {
  readonly name: string;
  readonly number: number;
  /** `bool`, `core.v1.Volume`; `[]` marks lists and `{}` maps. */
  readonly type: string;
}

/** The fields of all types that releases publish. */
export interface PublishedFields {
  /** The version of the modules with the types, by release. */
  readonly modules: Readonly<Record<Release, string>>;
  /** By type: the releases that have it, and its fields, each with its releases where they are fewer: see `textOf`. */
  readonly types: Readonly<Record<string, string>>;
  /** By field of a type: the values that documents list, with the releases that do: see `enumerationText`. */
  readonly enumerations: Readonly<Record<string, string>>;
}

export const publishedFields = (): PublishedFields =>
  JSON.parse(readFileSync(publishedFieldsFile, 'utf8')) as PublishedFields;

/** `1.26-1.30` and its reverse. */
const rangeText = (releases: readonly Release[]): string => `${releases[0]}-${releases.at(-1)}`;
const isIn = (range: string, release: Release): boolean => {
  const [first = '', last = ''] = range.split('-');
  return atLeast(release, first) && atLeast(last, release);
};

/** A type as a text: `1.26-1.37 volumes=1:[]core.v1.Volume hostUsers=37:bool@1.27-1.37`. */
export function textOf(byRelease: ReadonlyMap<Release, readonly PublishedField[]>): string {
  const fields = new Map<string, Release[]>();
  for (const [release, present] of byRelease) {
    for (const { name, number, type } of present) {
      const text = `${name}=${number}:${type}`;
      fields.set(text, [...(fields.get(text) ?? []), release]);
    }
  }
  const whole = rangeText([...byRelease.keys()]);
  const texts = [...fields].map(([text, releases]) => {
    const range = rangeText(releases);
    return range === whole ? text : `${text}@${range}`;
  });
  return [whole, ...texts].join(' ');
}

/** The values of a field as a text: `1.24-1.34=Equal|Exists; 1.35-1.37=Equal|Exists|Gt|Lt`. */
export function enumerationText(byRelease: ReadonlyMap<Release, string>): string {
  const runs: { readonly values: string; readonly releases: Release[] }[] = [];
  let before: Release | undefined;
  for (const [release, values] of byRelease) {
    const run = runs.at(-1);
    const follows = before !== undefined && minorOf(release) === minorOf(before) + 1;
    if (run !== undefined && follows && run.values === values) run.releases.push(release);
    else runs.push({ values, releases: [release] });
    before = release;
  }
  return runs.map(({ values, releases }) => `${rangeText(releases)}=${values}`).join('; ');
}

const minorOf = (release: Release): number => Number(release.split('.')[1]);

/** The values of a field in a release; empty where documents list none. */
function enumerationAt(text: string | undefined, release: Release): string {
  const runs = text?.split('; ').map((run) => /^([\d.-]+)=(.*)$/.exec(run)) ?? [];
  return runs.find((run) => isIn(run?.[1] ?? '', release))?.[2] ?? '';
}

/** The fields of a type in a release; undefined where the release does not have it. */
function fieldsAt(text: string | undefined, release: Release): readonly PublishedField[] | undefined {
  const [whole = '', ...fields] = text?.split(' ') ?? [];
  if (text === undefined || !isIn(whole, release)) return undefined;
  return fields.flatMap((field) => {
    const [, name = '', number, type = '', range = whole] =
      /^(.*)=(\d+):([^@]+)(?:@(.*))?$/.exec(field) ?? [];
    return isIn(range, release) ? [{ name, number: Number(number), type }] : [];
  });
}

interface Root {
  readonly type: string;
  readonly schema: StructSchema;
}

/** The kinds of a release, by the name of their type. */
export function rootsAt(release: Release): readonly Root[] {
  const served = builtinTypes.flatMap(({ group, kind, versions }) =>
    versions
      .filter((version) => servedIn(release, version))
      .map(({ group: own = group, version, schema, differs }) => ({
        type: typeName(own, version, differs?.kind ?? kind),
        schema,
      })),
  );
  const others = auxiliaryKinds.map(({ group, version, kind, schema }) => ({
    type: typeName(group, version, kind),
    schema,
  }));
  return [...served, ...others];
}

const typeName = (group: string, version: string, kind: string): string =>
  `${group === '' ? 'core' : group}.${version}.${kind}`;

/** The differences between the fields that a release publishes and those that it has here, one line each. */
export function fieldDifferences(
  { types, enumerations }: PublishedFields,
  release: Release,
): readonly string[] {
  const includes = fieldServedIn(release);
  const declared = fieldDeclaredIn(release, includes);
  const since = reaches({ includes });
  const found = new Set<string>();
  const compared = new Set<string>();
  const compare = ({ type, schema }: Root): void => {
    const pair = `${type} ${schema.name}`;
    if (compared.has(pair)) return;
    compared.add(pair);
    const published = fieldsAt(types[type], release);
    if (published === undefined) {
      found.add(`${type} is not published`);
      return;
    }
    const own = new Map(schema.fields.filter(declared).map((field) => [field.num, field]));
    for (const { name, number, type: fieldType } of published) {
      const field = own.get(number);
      own.delete(number);
      const path = `${type}.${name}=${number}`;
      if (field === undefined || field.name !== name) {
        found.add(`${path} ${fieldType} is missing`);
        continue;
      }
      const listed = enumerationAt(enumerations[`${type}.${name}`], release);
      const values = holdsStrings(field.schema) ? (publishedValues(field, since)?.join('|') ?? '') : '';
      if (values !== listed) found.add(`${path} lists ${listed || 'no values'}, not ${values || 'none'}`);
      const value = valueBelow(resolveRef(field.schema), fieldType);
      if (typeof value === 'string') found.add(`${path} is ${fieldType}, not ${value}`);
      else if (value !== undefined) compare(value);
    }
    for (const { name, num } of own.values()) found.add(`${type}.${name}=${num} is not published`);
  };
  for (const root of rootsAt(release)) compare(root);
  return [...found].toSorted();
}

/** Reports whether a value is a string, or a list or map of strings. */
function holdsStrings(ref: SchemaRef): boolean {
  const schema = resolveRef(ref);
  if (schema.kind === 'list') return holdsStrings(schema.items);
  return schema.kind === 'map'
    ? holdsStrings(schema.values)
    : schema.kind === 'scalar' && schema.type === 'string';
}

/** The structs of both sides below a field, to be compared; or what the field is here, if that is something else. */
function valueBelow(schema: Schema, type: string): Root | string | undefined {
  const mark = /^(\[\]|\{\})?/.exec(type)?.[1] ?? '';
  const one = type.slice(mark.length);
  if (schema.kind === 'list' && mark === '[]') return valueBelow(resolveRef(schema.items), one);
  if (schema.kind === 'map' && mark === '{}') {
    const values = resolveRef(schema.values);
    // A list in a map is a message of its own.
    return values.kind === 'list' ? undefined : valueBelow(values, one);
  }
  if (schema.kind === 'union' || (schema.kind === 'list' && schema.protoWrapped === true)) return undefined;
  if (mark !== '' || schema.kind === 'list' || schema.kind === 'map') return schema.kind;
  if (schema.kind === 'scalar') return scalarTypes[schema.type].includes(one) ? undefined : schema.type;
  return schema.fields.length > 0 ? { type: one, schema } : undefined;
}

const scalarTypes: Readonly<Record<ScalarType, readonly string[]>> = {
  string: ['string'],
  bool: ['bool'],
  int32: ['int32'],
  int64: ['int64'],
  float64: ['double'],
  bytes: ['bytes'],
  quantity: ['resource.Quantity'],
  intOrString: ['intstr.IntOrString'],
  time: ['meta.v1.Time'],
  microTime: ['meta.v1.MicroTime'],
  duration: ['meta.v1.Duration'],
  object: ['runtime.RawExtension', 'meta.v1.FieldsV1'],
  json: ['apiextensions.v1.JSON', 'apiextensions.v1beta1.JSON', 'runtime.RawExtension'],
};
