import type {
  Container,
  EphemeralContainer,
  PodResourceClaim,
  PodSpec,
  ResourceClaim,
} from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { checkFormat } from '../../../../validation-rules.ts';

type Lists = Readonly<
  Record<'containers' | 'initContainers' | 'ephemeralContainers', readonly (Container | EphemeralContainer)[]>
>;

/** Checks that each claim has one source, and that containers use only claims of their pod. */
export function checkResourceClaims(path: string, spec: PodSpec, lists: Lists): readonly FieldError[] {
  const claims = spec.resourceClaims ?? [];
  const known = new Set(claims.map(({ name }) => name ?? ''));
  return [
    ...checkNames(`${path}.resourceClaims`, claims),
    ...claims.flatMap(({ source, ...direct }, i) => {
      // Releases before 1.31 have the names in a struct, which is always present.
      const at = `${path}.resourceClaims[${i}]${source === undefined ? '' : '.source'}`;
      const { resourceClaimName, resourceClaimTemplateName } = source ?? direct;
      const count = [resourceClaimName, resourceClaimTemplateName].filter((name) => name != null).length;
      const empty = Object.entries({ resourceClaimName, resourceClaimTemplateName })
        .filter(([, name]) => name === '')
        .map(([field]) => fieldError.invalid(`${at}.${field}`, '', 'must be the name of an object'));
      return count === 1
        ? empty
        : [
            ...empty,
            fieldError.invalid(
              at,
              '',
              'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
            ),
          ];
    }),
    ...(['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap((list) =>
      lists[list].flatMap(({ resources }, i) =>
        checkUsedClaims(`${path}.${list}[${i}].resources.claims`, resources?.claims ?? [], known),
      ),
    ),
  ];
}

/** A claim that repeats the name of an earlier one has this error only; otherwise its name must be valid. */
function checkNames(path: string, claims: readonly PodResourceClaim[]): readonly FieldError[] {
  const taken = new Set<string>();
  return claims.flatMap(({ name = '' }, i) => {
    const at = `${path}[${i}].name`;
    if (name === '') return [];
    if (taken.has(name)) return [fieldError.duplicate(at, name)];
    taken.add(name);
    return checkFormat('dns1123label', at, name);
  });
}

/**
 * Checks that claims of a container are those of its pod, and that no claim and no request of one is used twice. For
 * compatibility, errors name the item.
 */
export function checkUsedClaims(
  path: string,
  claims: readonly ResourceClaim[],
  known: ReadonlySet<string>,
): readonly FieldError[] {
  const whole = new Set<string>();
  const requested = new Map<string, Set<string>>();
  return claims.flatMap(({ name = '', request = '' }, i) => {
    const at = `${path}[${i}]`;
    if (name === '') return [fieldError.required(at)];
    const requests = requested.get(name) ?? new Set();
    const isTwice = whole.has(name) || requests.has(request) || (request === '' && requests.size > 0);
    if (request === '') whole.add(name);
    else requested.set(name, requests.add(request));
    return [
      ...(request === '' || whole.has(name) ? [] : checkFormat('dns1123label', `${at}.request`, request)),
      ...(isTwice ? [fieldError.duplicate(at, request === '' ? name : `${name}/${request}`)] : []),
      ...(known.has(name) ? [] : [fieldError.notFound(at, name)]),
    ];
  });
}
