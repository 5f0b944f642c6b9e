import { atLeast, type Release, servedIn } from './release.ts';
import type { KindVersion, ResourceType } from './resource-type.ts';

const pattern = /^v(\d{1,3})(?:(alpha|beta)(\d{1,3}))?$/;
const levels: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };
const STABLE = 2;

/** Level, major and minor number of the name of a version; undefined for other names. */
function ranksOf(version: string): readonly [level: number, major: number, minor: number] | undefined {
  const match = pattern.exec(version);
  if (match === null) return undefined;
  const [, major, level, minor] = match;
  return [level === undefined ? STABLE : (levels[level] ?? 0), Number(major), Number(minor ?? 0)];
}

/**
 * Sorts version names, the most preferred first: stable before beta before alpha (spec 9.1), then the higher number.
 * Names in another format come last, alphabetically.
 */
export function compareVersions(a: string, b: string): number {
  const [ranksOfA, ranksOfB] = [ranksOf(a), ranksOf(b)];
  if (ranksOfA === undefined || ranksOfB === undefined) {
    if (ranksOfA !== undefined) return -1;
    if (ranksOfB !== undefined) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const [levelA, majorA, minorA] = ranksOfA;
  const [levelB, majorB, minorB] = ranksOfB;
  return levelB - levelA || majorB - majorA || minorB - minorA;
}

const isAlpha = (version: string): boolean => ranksOf(version)?.[0] === 0;

/** Reports whether a release serves a version only when `--runtime-config` names it. */
export const isOnlyByName = (release: Release, { onlyByName }: KindVersion): boolean =>
  typeof onlyByName === 'object' ? !atLeast(release, onlyByName.before) : onlyByName === true;

/** Reports whether a release serves one of its versions without `--runtime-config`. */
export function servedByDefault(release: Release, version: KindVersion): boolean {
  const { servedByDefault: declared } = version;
  if (isOnlyByName(release, version)) return false;
  return typeof declared === 'string' ? atLeast(release, declared) : (declared ?? !isAlpha(version.version));
}

/** The previous release; undefined for the first of a major version. */
export function previousRelease(release: Release): Release | undefined {
  const [major, minor] = release.split('.');
  return Number(minor) > 0 ? `${major}.${Number(minor) - 1}` : undefined;
}

/**
 * The preferred version of those that a release serves (spec 9.3, rule 4b): the most stable and highest one that the
 * previous release served too, so that a downgrade is possible; of all, when it served none of them. The first one of
 * equals. Undefined when there are none.
 */
export function preferredVersion<V extends { readonly version: string }>(
  served: readonly V[],
  wasServed: (version: V) => boolean,
): V | undefined {
  const known = served.filter(wasServed);
  return (known.length > 0 ? known : served).toSorted((a, b) => compareVersions(a.version, b.version))[0];
}

/** Reports whether the previous release served a version by default. */
function servedBefore(release: Release, type: ResourceType, version: KindVersion): boolean {
  const before = previousRelease(release);
  return (
    before !== undefined &&
    atLeast(before, type.introduced) &&
    servedIn(before, version) &&
    servedByDefault(before, version)
  );
}

/** Group versions that the previous release served by default, as `group/version` with the key of the group. */
export function groupVersionsBefore(release: Release, types: readonly ResourceType[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const type of types) {
    for (const version of type.versions)
      if (servedBefore(release, type, version))
        found.add(`${version.group ?? type.group}/${version.version}`);
  }
  return found;
}

/**
 * The version in which a server of `release` stores objects: that of the resource definition, else by rule 4b among the
 * versions served by default; versions that `--runtime-config` adds or removes do not affect stored objects. Undefined
 * when the release has no version of the resource.
 */
export function storedVersionAt(release: Release, type: ResourceType): KindVersion | undefined {
  const there = type.versions.filter((version) => servedIn(release, version));
  const group = type.storedGroup ?? type.group;
  const declared = there.find(
    (one) => one.version === type.storedVersion && (one.group ?? type.group) === group,
  );
  if (declared !== undefined) return declared;
  const usual = there.filter((version) => servedByDefault(release, version));
  return preferredVersion(usual.length > 0 ? usual : there, (version) =>
    servedBefore(release, type, version),
  );
}
