import type { CustomResourceDefinitionVersion } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError } from '@orch/machinery';

/**
 * Objects may be stored in every version listed here, so each must exist. Those of `old` are left to the check that
 * counts their objects.
 */
export function checkStoredVersions(
  stored: readonly string[],
  versions: readonly CustomResourceDefinitionVersion[],
  old: readonly CustomResourceDefinitionVersion[] = [],
): readonly FieldError[] {
  const path = 'status.storedVersions';
  if (stored.length === 0) return [fieldError.invalid(path, stored, 'must have at least one stored version')];
  const names = new Set([...versions, ...old].map(({ name }) => name ?? ''));
  const listed = new Set(stored);
  // A second version of the same name is not among them.
  const missing = versions
    .filter(({ name, storage }) => !listed.delete(name ?? '') && storage === true)
    .map(({ name }) => fieldError.invalid(path, name, `must have the storage version ${name ?? ''}`));
  const gone = stored.flatMap((name, i) =>
    names.has(name) ? [] : [fieldError.invalid(`${path}[${i}]`, name, 'must appear in spec.versions')],
  );
  return [...missing, ...gone];
}
