import {
  atLeast,
  fieldServedIn,
  type KindVersion,
  type Release,
  servedByDefault,
  servedIn,
  typesAt,
} from '@orch/apis';
import type { ApiObject, FieldError, Names } from '@orch/machinery';
import { type JsonObject, jsonText } from '@orch/machinery/json';
import { codecCompiler } from '@orch/schema';
import { changedMeanings } from './changed-meanings.ts';
import { type Conversion, convertObject, withDefaultsInHub } from './convert-object.ts';
import { type FoundVersion, findVersion, versionText } from './find-version.ts';

export type FindingKind =
  | 'removed'
  | 'deprecated'
  | 'default'
  | 'dropped'
  | 'required'
  | 'refused'
  | 'not-served';

/** The effect of an upgrade on an object. */
export interface Finding {
  readonly kind: FindingKind;
  /** The path of the field; `apiVersion` for the object. */
  readonly field: string;
  /** A sentence with what to do. */
  readonly message: string;
}

export interface ObjectCheck {
  readonly findings: readonly Finding[];
  /** The object in the version to use; undefined when nothing has to change, or nothing can replace it. */
  readonly fixed: ApiObject | undefined;
}

/** The releases of an upgrade. */
export interface Upgrade {
  readonly from: Release;
  readonly to: Release;
  /** For groups that have one name under both namings. */
  readonly names: Names;
}

const nothing: ObjectCheck = { findings: [], fixed: undefined };

/** Checks an object against the declarations of two releases. Kinds that are not built in have no findings. */
export function checkObject(object: JsonObject, upgrade: Upgrade): ObjectCheck {
  const found = findVersion(object, upgrade.names);
  if (found === undefined) return nothing;
  const { version } = found;
  if (!atLeast(upgrade.to, version.introduced ?? found.type.introduced))
    return finding(
      'not-served',
      `${versionText(found)} is not served by ${upgrade.to} yet: it came with ${version.introduced}`,
    );
  if (!servedIn(upgrade.to, version)) return checkRemoved(object, found, upgrade);
  return checkServed(object, found, upgrade);
}

const finding = (kind: FindingKind, message: string): ObjectCheck => ({
  findings: [{ kind, field: 'apiVersion', message }],
  fixed: undefined,
});

/** A version that the target release does not serve. */
function checkRemoved(object: JsonObject, found: FoundVersion, upgrade: Upgrade): ObjectCheck {
  const removed = `${versionText(found)} is not served since ${found.version.removed}`;
  const target = replacementIn(found, upgrade.to);
  if (target === undefined)
    return finding('removed', `${removed}, and nothing replaces it; ${adviceFor(found)}`);
  const replacement = { ...found, version: target };
  const since = target.introduced === undefined ? '' : ` (available since ${target.introduced})`;
  const conversion = convertObject(object, found, target);
  return {
    findings: [
      {
        kind: 'removed',
        field: 'apiVersion',
        message: `${removed}; use ${versionText(replacement)}${since}`,
      },
      ...conversionFindings(conversion, replacement),
      ...meaningFindings(object, found),
      ...invalidFindings(object, found, conversion.object, { ...upgrade, replacement }),
    ],
    fixed: conversion.object,
  };
}

/** The replacement of kinds without a successor. */
const adviceFor = ({ type }: FoundVersion): string =>
  type.kind === 'PodSecurityPolicy'
    ? 'use the pod security standards of namespaces (labels) or an admission webhook; its admission plugin is removed, too'
    : 'remove it before the upgrade';

/** The version of a kind that a release serves and prefers, of the group of the object if that has one. */
function replacementIn({ type, version }: FoundVersion, release: Release): KindVersion | undefined {
  const served = typesAt(release, [type])[0]?.served ?? [];
  const inGroup = served.filter((one) => one.group === version.group);
  const candidates = inGroup.length > 0 ? inGroup : served;
  return (
    candidates.find((one) => servedByDefault(release, one) && one.deprecated === undefined) ?? candidates[0]
  );
}

function conversionFindings(
  { changedDefaults, dropped }: Conversion,
  replacement: FoundVersion,
): readonly Finding[] {
  const shown = (value: unknown): string => ((value ?? undefined) === undefined ? 'unset' : jsonText(value));
  return [
    ...changedDefaults.map(
      ({ field, before, after }): Finding => ({
        kind: 'default',
        field,
        message:
          before === undefined
            ? `${field} is ${shown(after)} when it is not set in ${versionText(replacement)}; before it was unset`
            : `the default of ${field} changes from ${shown(before)} to ${shown(after)}; set it to ${shown(before)} to keep the behavior`,
      }),
    ),
    ...dropped.map(
      (field): Finding => ({
        kind: 'dropped',
        field,
        message: `${field} has no equivalent in ${versionText(replacement)} and is dropped`,
      }),
    ),
  ];
}

function meaningFindings(object: JsonObject, { version, type }: FoundVersion): readonly Finding[] {
  const canonical = `${version.group ?? type.group}/${version.version}`;
  return changedMeanings
    .filter((one) => one.kind === type.kind && one.version === canonical && one.applies(object))
    .map(({ field, message }) => ({ kind: 'default', field, message }));
}

/** Fields that are valid in the earlier version, and missing or invalid in the new one. */
function invalidFindings(
  object: JsonObject,
  found: FoundVersion,
  converted: ApiObject,
  { replacement, from, to }: { readonly replacement: FoundVersion } & Pick<Upgrade, 'from' | 'to'>,
): readonly Finding[] {
  const before = new Set(problemsIn(object, found, from).map(({ message }) => message));
  return problemsIn(converted as unknown as JsonObject, replacement, to)
    .filter(({ message }) => !before.has(message))
    .map(({ field, message }) => ({
      kind: 'required' as const,
      field,
      message: `${field}: ${message}; ${versionText(replacement)} needs another value`,
    }));
}

/** The errors with which a server of a release that creates the object in this version would refuse it. */
function problemsIn(object: JsonObject, found: FoundVersion, release: Release): readonly FieldError[] {
  const { version, names } = found;
  const [type = found.type] = typesAt(release, [found.type], () => true);
  const codec = codecCompiler(names, { includes: fieldServedIn(release) }).compile(version.schema);
  const declared = codec.validate(codec.decode(object, { defaults: true }).value);
  const context = {
    names,
    now: '2000-01-01T00:00:00Z',
    requestVersion: `${version.group ?? type.group}/${version.version}`,
    user: { name: '', groups: [] },
    since: codec.since,
    uuid: () => '00000000-0000-4000-8000-000000000000',
  };
  return [
    ...declared,
    ...(type.strategy.validate?.(withDefaultsInHub(object, found), undefined, context) ?? []),
  ];
}

/** What to use in place of a deprecated version, as the end of a sentence: of another kind, or a version of the same. */
function useInstead(found: FoundVersion, to: Release): string {
  const { version, names } = found;
  const declared = version.replacement;
  if (typeof declared === 'object')
    return `; use ${names.apiVersion(declared.group, declared.version)} ${declared.kind}`;
  const target = replacementIn(found, to);
  return target === undefined || target === version
    ? ''
    : `; use ${versionText({ ...found, version: target })}`;
}

/** Checks a version that the target release serves: deprecation, and fields that the release no longer has. */
function checkServed(object: JsonObject, found: FoundVersion, { from, to }: Upgrade): ObjectCheck {
  const { version, names } = found;
  const findings: Finding[] = [];
  if (version.deprecated !== undefined && atLeast(to, version.deprecated)) {
    const end = version.removed === undefined ? '' : ` and not served from ${version.removed} on`;
    findings.push({
      kind: 'deprecated',
      field: 'apiVersion',
      message: `${versionText(found)} is deprecated since ${version.deprecated}${end}${useInstead(found, to)}`,
    });
  }
  const known = unknownFields(object, found, from, names);
  for (const field of unknownFields(object, found, to, names))
    if (!known.has(field))
      findings.push({
        kind: 'dropped',
        field,
        message: `${field} does not exist in ${to} any more and is dropped`,
      });
  findings.push(...refusedFindings(object, found, { from, to }));
  return { findings, fixed: undefined };
}

/** Values that the earlier release accepts and the later one refuses. An object that the earlier one refuses has none. */
function refusedFindings(
  object: JsonObject,
  found: FoundVersion,
  { from, to }: Pick<Upgrade, 'from' | 'to'>,
): readonly Finding[] {
  if (!servedIn(from, found.version) || problemsIn(object, found, from).length > 0) return [];
  return problemsIn(object, found, to).map(({ field, message }) => ({
    kind: 'refused',
    field,
    message: `${field}: ${message}; ${to} refuses to create the object`,
  }));
}

function unknownFields(
  object: JsonObject,
  { version }: FoundVersion,
  release: Release,
  names: Names,
): ReadonlySet<string> {
  const codec = codecCompiler(names, { includes: fieldServedIn(release) }).compile(version.schema);
  const { problems } = codec.decode(object, { reportUnknown: true });
  return new Set(problems.filter(({ kind }) => kind === 'unknown').map(({ field }) => field));
}
