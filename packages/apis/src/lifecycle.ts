import type { EarlierForm, KindVersion, ResourceType, Subresource } from './resource-type.ts';

/** A minor release of the API, `1.24`. */
export type Release = string;

/** What the server emulates when `--emulated-version` is not given. */
export const DEFAULT_EMULATED_RELEASE: Release = '1.24';

/** First and last release that can be emulated. */
export const OLDEST_RELEASE: Release = '1.15';
export const NEWEST_RELEASE: Release = '1.27';

const form = /^v?(\d{1,3})\.(\d{1,3})(?:\.\d{1,5})?$/;

/** Reads `1.24`, `v1.24` or `1.24.3` as `1.24`; undefined when it is no release. */
export function parseRelease(text: string): Release | undefined {
  const match = form.exec(text);
  return match === null ? undefined : `${Number(match[1])}.${Number(match[2])}`;
}

/** Less than, equal to or greater than zero as `a` comes before, is or comes after `b`. Both are `major.minor`. */
export function compareReleases(a: Release, b: Release): number {
  const [aMajor, aMinor] = a.split('.');
  const [bMajor, bMinor] = b.split('.');
  return Number(aMajor) - Number(bMajor) || Number(aMinor) - Number(bMinor);
}

/** True when `release` is `since` or later; an absent `since` is the beginning. */
export const atLeast = (release: Release, since: Release | undefined): boolean =>
  since === undefined || compareReleases(release, since) >= 0;

/** True when something introduced and removed in these releases is there in `release`. */
export const servedIn = (
  release: Release,
  life: { readonly introduced?: Release; readonly removed?: Release },
): boolean =>
  atLeast(release, life.introduced) && (life.removed === undefined || !atLeast(release, life.removed));

/**
 * The rows as a server of `release` serves them: versions, subresources and verbs that it does not have yet, or no
 * longer has, are left out, and a row without a served version goes altogether (spec 9.4). Rows that are the same in
 * every release are returned as they are.
 */
export function typesAt(release: Release, types: readonly ResourceType[]): readonly ResourceType[] {
  return types.flatMap((type) => {
    const row = rowAt(release, type);
    return row === undefined ? [] : [row];
  });
}

function rowAt(release: Release, type: ResourceType): ResourceType | undefined {
  if (!atLeast(release, type.introduced)) return undefined;
  const versions = kept<KindVersion>(release, type.versions);
  if (versions.length === 0) return undefined;
  const forms = earlierForms(release, type.earlier);
  const changed: ResourceType =
    forms.length === 0 ? type : Object.assign({}, type, ...forms.map((f) => f.change));
  const subresources = kept<Subresource>(release, changed.subresources);
  const same = changed === type && versions === type.versions && subresources === type.subresources;
  return same ? type : { ...changed, versions, subresources };
}

/** Forms that apply to `release`, so ordered that the one of the oldest release has the last word. */
const earlierForms = (release: Release, forms: readonly EarlierForm[] = []): readonly EarlierForm[] =>
  forms.filter(({ before }) => !atLeast(release, before)).sort((a, b) => compareReleases(b.before, a.before));

function kept<T extends { readonly introduced?: Release; readonly removed?: Release }>(
  release: Release,
  entries: readonly T[],
): readonly T[] {
  const remaining = entries.filter((entry) => servedIn(release, entry));
  return remaining.length === entries.length ? entries : remaining;
}

/**
 * Which members of schemas a release serves: those it has, and those behind a feature gate that is open. The result
 * fits `CodecOptions.includes`.
 */
export const fieldServedIn =
  (release: Release, openGates: ReadonlySet<string> = new Set()) =>
  (field: { readonly since?: string; readonly until?: string; readonly gate?: string }): boolean => {
    if (field.until !== undefined && atLeast(release, field.until)) return false;
    return atLeast(release, field.since) || (field.gate !== undefined && openGates.has(field.gate));
  };
