import type { ObjectMeta } from '@orch/machinery';
import { qualifiedName } from '@orch/machinery/formats';
import { formatMessage, type WarningContext } from './content-warning.ts';

interface WithMetadata {
  readonly metadata: ObjectMeta;
}

/** Warns of finalizers that are added to a custom object and that other programs may use too. */
export function finalizerWarnings(
  { metadata }: WithMetadata,
  old: WithMetadata | undefined,
  { names, since }: WarningContext,
): readonly string[] {
  if (!since('1.29')) return [];
  const before = new Set(old?.metadata.finalizers);
  const { orphan, foregroundDeletion, namespace } = names.finalizers;
  const known = new Set<string>([orphan, foregroundDeletion, namespace]);
  const added = [...new Set(metadata.finalizers)].filter((one) => !before.has(one)).sort();
  return added.flatMap((finalizer) => {
    const start = `metadata.finalizers: ${JSON.stringify(finalizer)}: `;
    const wrong = qualifiedName(finalizer);
    const isPlain = !finalizer.includes('/') && !known.has(finalizer);
    const path = since('1.32') && finalizer.includes('.') ? ' including a path (/)' : '';
    return [
      ...(wrong === undefined ? [] : [`${start}${formatMessage(wrong)}`]),
      ...(isPlain
        ? [
            `${start}prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
          ]
        : []),
    ];
  });
}
