import type { IsEnabled } from './lifecycle.ts';
import { servedByDefault } from './preferred-version.ts';
import {
  atLeast,
  compareReleases,
  NEWEST_RELEASE,
  OLDEST_RELEASE,
  type Release,
  servedIn,
} from './release.ts';
import type { KindVersion, ResourceType } from './resource-type.ts';

/** A kind that a release does not serve, and that servers of other releases serve and store. */
export interface TypeOfOtherRelease {
  readonly type: ResourceType;
  /**
   * The first later release that serves it, or the last earlier one if no later release does. Releases that serve it by default
   * precede those that serve it only with `--runtime-config`.
   */
  readonly servedIn: Release;
  readonly isLater: boolean;
  /** The versions that the release serves if `--runtime-config` names them, in declaration order. */
  readonly offered: readonly KindVersion[];
  /** A version that `--runtime-config` has to name in `servedIn`; undefined when that serves the kind by default. */
  readonly byName: KindVersion | undefined;
}

/**
 * The stored kinds that a release does not serve, and other releases do: by default, or with `--runtime-config` if the release does not
 * have the kind. Kinds that the release serves by default and `isEnabled` excludes are not among them: the operator has decided that.
 */
export function typesOfOtherReleases(
  release: Release,
  types: readonly ResourceType[],
  isEnabled: IsEnabled,
): readonly TypeOfOtherRelease[] {
  const releases = allReleases();
  return types.flatMap((type) => {
    const offered = versionsIn(release, type);
    if (type.virtual === true || offered.some((version) => isEnabled(type, version, release))) return [];
    const usual = releases.filter((other) => servesByDefault(other, type));
    if (usual.includes(release)) return [];
    const all = offered.length > 0 ? [] : releases.filter((other) => versionsIn(other, type).length > 0);
    const isLater = (other: Release): boolean => compareReleases(other, release) > 0;
    const later = usual.find(isLater) ?? all.find(isLater);
    const nearest = later ?? usual.at(-1) ?? all.at(-1);
    if (nearest === undefined) return [];
    const byName = usual.includes(nearest) ? undefined : versionsIn(nearest, type)[0];
    return [{ type, servedIn: nearest, isLater: later !== undefined, offered, byName }];
  });
}

const minorOf = (release: Release): number => Number(release.split('.')[1]);

/** The releases that can be emulated, the oldest first. */
const allReleases = (): readonly Release[] =>
  Array.from(
    { length: minorOf(NEWEST_RELEASE) - minorOf(OLDEST_RELEASE) + 1 },
    (_, index) => `1.${minorOf(OLDEST_RELEASE) + index}`,
  );

const versionsIn = (release: Release, { introduced, versions }: ResourceType): readonly KindVersion[] =>
  atLeast(release, introduced) ? versions.filter((version) => servedIn(release, version)) : [];

const servesByDefault = (release: Release, type: ResourceType): boolean =>
  versionsIn(release, type).some((version) => servedByDefault(release, version));
