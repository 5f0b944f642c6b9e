/** A version of an API group, as served: `{ group: '', version: 'v1' }` is the core group's. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** Reads `v1` or `apps/v1` (spec 9.2); undefined when it is neither. */
export function parseApiVersion(apiVersion: string): GroupVersion | undefined {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return apiVersion === '' ? undefined : { group: '', version: apiVersion };
  const group = apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  return group === '' || version === '' || version.includes('/') ? undefined : { group, version };
}

/** `v1` or `apps/v1`. */
export const formatApiVersion = ({ group, version }: GroupVersion): string =>
  group === '' ? version : `${group}/${version}`;

const versionForm = /^v([0-9]{1,9})(?:(alpha|beta)([0-9]{1,9}))?$/;
const levels: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/**
 * Orders version names by preference, best first: stable before beta before alpha, higher
 * numbers before lower, and names of another form last, by their letters (spec 9.1).
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionForm.exec(a), versionForm.exec(b)];
  if (left === null || right === null) {
    if (left !== null || right !== null) return left === null ? 1 : -1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const level = (match: RegExpExecArray): number => levels[match[2] ?? ''] ?? 2;
  return (
    level(right) - level(left) ||
    Number(right[1]) - Number(left[1]) ||
    Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}
