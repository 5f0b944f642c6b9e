import { type FieldError, fieldError } from '@orch/machinery';
import { dns1035label } from '@orch/machinery/formats';

/** Versions of review objects that the server can send to webhooks, best first. */
const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

export const hasKnownVersion = (versions: readonly string[]): boolean =>
  versions.some((version) => reviewVersions.includes(version));

/** Names of versions, each once; with `known`, at least one that the server supports. */
export function checkReviewVersions(
  path: string,
  versions: readonly string[],
  { known }: { readonly known: boolean },
): readonly FieldError[] {
  const expected = reviewVersions.join(', ');
  if (versions.length === 0) return [fieldError.required(path, `must specify one of ${expected}`)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, i) => {
    const at = `${path}[${i}]`;
    if (seen.has(version)) return [fieldError.invalid(at, version, 'duplicate version')];
    seen.add(version);
    const wrong = dns1035label(version);
    return wrong === undefined ? [] : [fieldError.invalid(at, version, wrong)];
  });
  return known && !hasKnownVersion(versions)
    ? [...errors, fieldError.invalid(path, versions, `must include at least one of ${expected}`)]
    : errors;
}
