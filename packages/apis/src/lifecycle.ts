import { servedByDefault, storedVersionAt } from './preferred-version.ts';
import { atLeast, compareReleases, type Release, servedIn } from './release.ts';
import type { KindVersion, ReleaseDifference, ResourceType, Subresource } from './resource-type.ts';

export * from './release.ts';

/**
 * A resource definition as a server of one release serves it. All its versions remain declared: objects of each may be
 * stored.
 */
export interface ServedType extends ResourceType {
  /** The served versions, in declaration order. The hub, `versions[0]`, may not be among them. */
  readonly served: readonly KindVersion[];
  /** The version in which objects are written. */
  readonly stored: KindVersion;
  /**
   * Identifies how stored objects are decoded, where that changes while a server runs: types with different decoding
   * have different values.
   */
  readonly readAs?: string;
}

/** Reports whether a version of the release is served, as `--runtime-config` decides. */
export type IsEnabled = (type: ResourceType, version: KindVersion, release: Release) => boolean;

const enabledByDefault: IsEnabled = (_type, version, release) => servedByDefault(release, version);

/**
 * The resource definitions as a server of `release` serves them: versions, subresources and verbs that the release does
 * not have are not served, nor is a resource without a served version (spec 9.4).
 */
export function typesAt(
  release: Release,
  types: readonly ResourceType[],
  isEnabled: IsEnabled = enabledByDefault,
): readonly ServedType[] {
  return types.flatMap((type) => {
    const served = typeAt(release, type, isEnabled);
    return served === undefined ? [] : [served];
  });
}

function typeAt(release: Release, type: ResourceType, isEnabled: IsEnabled): ServedType | undefined {
  if (!atLeast(release, type.introduced)) return undefined;
  const served = type.versions.filter(
    (version) => servedIn(release, version) && isEnabled(type, version, release),
  );
  const stored = storedVersionAt(release, type);
  if (served.length === 0 || stored === undefined) return undefined;
  const changed: ResourceType = Object.assign(
    {},
    type,
    ...differencesAt(release, type.earlier).map(({ change }) => change),
  );
  const subresources = kept<Subresource>(release, changed.subresources);
  return { ...changed, subresources, served: served.map((version) => versionAt(release, version)), stored };
}

/** A version with those of its own subresources that the release has. */
function versionAt(release: Release, version: KindVersion): KindVersion {
  const own = version.differs?.subresources;
  if (own === undefined) return version;
  return { ...version, differs: { ...version.differs, subresources: kept<Subresource>(release, own) } };
}

/**
 * Subresources that return the object itself, in the version of the path, whatever the resource definition declares.
 */
const views: ReadonlySet<Subresource['behaviour']> = new Set([
  'status',
  'finalize',
  'ephemeralcontainers',
  'resize',
  'approval',
]);

/** A resource definition as one of its versions serves it, with the differences of that version. */
export function typeIn<T extends ResourceType>(type: T, version: KindVersion): T {
  const { strategy, fields: _labels, ...differs } = version.differs ?? {};
  const group = version.group ?? type.group;
  const changed = { ...type, ...differs };
  const subresources = changed.subresources.map((one) =>
    views.has(one.behaviour) && one.kind.kind === type.kind
      ? { ...one, kind: { group, version: version.version, kind: type.kind } }
      : one,
  );
  return { ...changed, subresources, strategy: { ...type.strategy, ...strategy } };
}

/** Differences that apply to `release`, ordered so that the one of the oldest release takes precedence. */
const differencesAt = (
  release: Release,
  differences: readonly ReleaseDifference[] = [],
): readonly ReleaseDifference[] =>
  differences
    .filter(({ before }) => !atLeast(release, before))
    .sort((a, b) => compareReleases(b.before, a.before));

function kept<T extends { readonly introduced?: Release; readonly removed?: Release }>(
  release: Release,
  entries: readonly T[],
): readonly T[] {
  const remaining = entries.filter((entry) => servedIn(release, entry));
  return remaining.length === entries.length ? entries : remaining;
}

/** A part that was introduced or removed in a release, or depends on a feature gate. */
export interface GatedPart {
  readonly since?: string;
  readonly until?: string;
  readonly gate?: string;
  /** First release that has it behind the gate; the first release of the gate when absent. */
  readonly gatedSince?: string;
}

/** Reports whether a release serves such a part. */
export type IncludesPart = (part: GatedPart) => boolean;

/** Reports whether a part was removed before a release, or in it. */
export const isPast = ({ until }: Pick<GatedPart, 'until'>, release: Release): boolean =>
  until !== undefined && atLeast(release, until);

/**
 * The fields that a release leaves out where they are empty, although earlier ones write them. The result fits
 * `CodecOptions.quiet`.
 */
export const omittedWhereEmpty =
  (release: Release): ((field: { readonly omittedSince?: string }) => boolean) =>
  ({ omittedSince }) =>
    omittedSince !== undefined && atLeast(release, omittedSince);

/** The fields whose default a release applies. The result fits `CodecOptions.defaults`. */
export const defaultedIn =
  (release: Release): ((field: { readonly defaultedSince?: string }) => boolean) =>
  ({ defaultedSince }) =>
    atLeast(release, defaultedSince);

/**
 * The fields of schemas that a release serves: those it has, without those behind a disabled feature gate, and those
 * behind an enabled feature gate. The result fits `CodecOptions.includes`.
 */
export const fieldServedIn =
  (
    release: Release,
    openGates: ReadonlySet<string> = new Set(),
    closedGates: ReadonlySet<string> = new Set(),
  ): IncludesPart =>
  (field) => {
    const { since, gate, gatedSince } = field;
    if (isPast(field, release)) return false;
    if (gate !== undefined && closedGates.has(gate)) return false;
    if (atLeast(release, since)) return true;
    return gate !== undefined && openGates.has(gate) && atLeast(release, gatedSince);
  };
