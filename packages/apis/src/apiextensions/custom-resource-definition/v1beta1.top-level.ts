import type { CustomResourceDefinitionSpecV1beta1 } from '@orch/kinds/apiextensions';
import type { Draft } from '@orch/kinds/draft';
import { jsonEquals } from '@orch/machinery/json';

/** Fields of v1beta1 that apply to all versions, and their names within a version. */
export const topLevelFields = [
  { top: 'validation', own: 'schema' },
  { top: 'subresources', own: 'subresources' },
  { top: 'additionalPrinterColumns', own: 'additionalPrinterColumns' },
  { top: 'selectableFields', own: 'selectableFields' },
] as const;

/** The value of a field that is the same in all versions, or undefined. */
export function sameInAll<T extends object, K extends keyof T>(
  versions: readonly T[],
  name: K,
): T[K] | undefined {
  const first = versions[0]?.[name];
  return first !== undefined && versions.every((version) => jsonEquals(version[name], first))
    ? first
    : undefined;
}

/**
 * In v1beta1, fields that all versions have in common are stored once (facts: defaults). Returns whether any field was
 * moved.
 */
export function hoistIdentical(spec: Draft<CustomResourceDefinitionSpecV1beta1>): boolean {
  const versions = spec.versions ?? [];
  let moved = false;
  for (const { top, own } of topLevelFields) {
    if (spec[top] !== undefined) continue;
    const common = sameInAll(versions, own);
    if (common === undefined) continue;
    Object.assign(spec, { [top]: common });
    for (const version of versions) delete version[own];
    moved = true;
  }
  return moved;
}
