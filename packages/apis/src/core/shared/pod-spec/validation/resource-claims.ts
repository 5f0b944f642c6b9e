import type { Container, EphemeralContainer, PodSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';

type Lists = Readonly<
  Record<'containers' | 'initContainers' | 'ephemeralContainers', readonly (Container | EphemeralContainer)[]>
>;

/** Checks that each claim has one source, and that containers use only claims of their pod. */
export function checkResourceClaims(path: string, spec: PodSpec, lists: Lists): readonly FieldError[] {
  const claims = spec.resourceClaims ?? [];
  const known = new Set(claims.map(({ name }) => name ?? ''));
  return [
    ...claims.flatMap(({ source, ...direct }, i) => {
      // Releases before 1.31 have the names in a struct, which is always present.
      const at = `${path}.resourceClaims[${i}]${source === undefined ? '' : '.source'}`;
      const { resourceClaimName, resourceClaimTemplateName } = source ?? direct;
      const count = [resourceClaimName, resourceClaimTemplateName].filter((name) => name != null).length;
      return count === 1
        ? []
        : [
            fieldError.invalid(
              at,
              '',
              'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
            ),
          ];
    }),
    ...(['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap((list) =>
      lists[list].flatMap(({ resources }, i) =>
        (resources?.claims ?? []).flatMap(({ name = '' }, j) =>
          name === '' || known.has(name)
            ? []
            : [fieldError.notFound(`${path}.${list}[${i}].resources.claims[${j}].name`, name)],
        ),
      ),
    ),
  ];
}
