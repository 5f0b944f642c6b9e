import type { Naming } from '@orch/machinery';

/** A minor release of the API, `1.24`. */
export type Release = string;

/** The release that a server emulates under the product's own names when `--emulated-version` is not set. */
export const DEFAULT_EMULATED_RELEASE: Release = '1.24';

/** First and last release that can be emulated. */
export const OLDEST_RELEASE: Release = '1.15';
export const NEWEST_RELEASE: Release = '1.37';

/** The value of `--emulated-version` that means `NEWEST_RELEASE`, also after an upgrade of the program. */
export const LATEST = 'latest';

/**
 * The release that `--emulated-version` names; undefined if it cannot be emulated. Without the flag (`text` is empty)
 * clients of the ecosystem meet the newest release, which they expect.
 */
export function emulatedRelease(text: string, naming: Naming): Release | undefined {
  if (text === '') return naming === 'orch' ? DEFAULT_EMULATED_RELEASE : NEWEST_RELEASE;
  if (text === LATEST) return NEWEST_RELEASE;
  const release = parseRelease(text);
  const isKnown =
    release !== undefined && atLeast(release, OLDEST_RELEASE) && atLeast(NEWEST_RELEASE, release);
  return isKnown ? release : undefined;
}

const pattern = /^v?(\d{1,3})\.(\d{1,3})(?:\.\d{1,5})?$/;

/** Reads `1.24`, `v1.24` or `1.24.3` as `1.24`; undefined when it is not a release. */
export function parseRelease(text: string): Release | undefined {
  const match = pattern.exec(text);
  return match === null ? undefined : `${Number(match[1])}.${Number(match[2])}`;
}

/**
 * Compares two releases (`major.minor`): negative when `a` precedes `b`, zero when they are equal, positive otherwise.
 */
export function compareReleases(a: Release, b: Release): number {
  if (a === b) return 0;
  // Called on every write: slices at the dot instead of allocating a list of parts.
  const [aDot, bDot] = [a.indexOf('.'), b.indexOf('.')];
  const majors = Number(a.slice(0, aDot)) - Number(b.slice(0, bDot));
  return majors || Number(a.slice(aDot + 1)) - Number(b.slice(bDot + 1));
}

/** True when `release` is `since` or later; an absent `since` counts as earlier than all, and `never` as later. */
export const atLeast = (release: Release, since: Release | undefined): boolean =>
  since === undefined || compareReleases(release, since) >= 0;

/** True when a part introduced and removed in these releases exists in `release`. */
export const servedIn = (
  release: Release,
  life: { readonly introduced?: Release; readonly removed?: Release },
): boolean =>
  atLeast(release, life.introduced) && (life.removed === undefined || !atLeast(release, life.removed));
