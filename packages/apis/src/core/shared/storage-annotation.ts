import type { WarningContext } from '../../content-warning.ts';

/** Warns of annotations of a volume, or of a claim, that fields have replaced. */
export function storageAnnotationWarnings(
  annotations: Readonly<Record<string, string>> = {},
  { names, since }: WarningContext,
): readonly string[] {
  const { betaStorageClass } = names.annotations;
  return annotations[betaStorageClass] !== undefined && since('1.28')
    ? [
        `metadata.annotations[${betaStorageClass}]: deprecated since v1.8; use "storageClassName" attribute instead`,
      ]
    : [];
}
