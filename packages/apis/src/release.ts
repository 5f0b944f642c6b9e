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
export const compareReleases = (a: Release, b: Release): number => (a === b ? 0 : rankOf(a) - rankOf(b));

const MINORS = 1000;
const [ZERO, DOT] = [0x30, 0x2e];

/** The place of a release in their order; NaN for other words. Called on every write: it allocates nothing. */
function rankOf(release: Release): number {
  let rank = 0;
  let part = 0;
  for (let index = 0; index < release.length; index += 1) {
    const code = release.charCodeAt(index);
    if (code === DOT) {
      rank = part * MINORS;
      part = 0;
    } else if (code >= ZERO && code < ZERO + 10) part = part * 10 + code - ZERO;
    else return Number.NaN;
  }
  return rank + part;
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
