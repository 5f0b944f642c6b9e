import type { CustomResourceSubresources } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError } from '@orch/machinery';

/** Fields and list positions only: `.spec.replicas`, `.spec.parts[0].size`. */
export const isSimpleJsonPath = (text: string): boolean =>
  /^(?:\.(?:[^\s.[\]{}'"\\]|\\.)+(?:\[-?\d{1,9}\])*)+$/.test(text);

/** Checks a path that must lead below one of these fields. */
function checkPath(path: string, text: string, below: readonly string[]): readonly FieldError[] {
  if (!isSimpleJsonPath(text))
    return [fieldError.invalid(path, text, 'must be a simple json path starting with .')];
  if (below.some((start) => text.startsWith(`${start}.`))) return [];
  const where = below.length === 1 ? below[0] : `either ${below.join(' or ')}`;
  return [fieldError.invalid(path, text, `should be a json path under ${where}`)];
}

/** The paths of the numbers of replicas. */
export function checkSubresources(
  path: string,
  subresources: CustomResourceSubresources,
): readonly FieldError[] {
  if (subresources.scale === undefined) return [];
  const { scale } = subresources;
  const replicas = [
    ['specReplicasPath', '.spec'],
    ['statusReplicasPath', '.status'],
  ] as const;
  const selector = scale.labelSelectorPath ?? '';
  return [
    ...replicas.flatMap(([field, start]) => {
      const text = scale[field] ?? '';
      const at = `${path}.scale.${field}`;
      return text === '' ? [fieldError.required(at)] : checkPath(at, text, [start]);
    }),
    ...(selector === '' ? [] : checkPath(`${path}.scale.labelSelectorPath`, selector, ['.spec', '.status'])),
  ];
}
