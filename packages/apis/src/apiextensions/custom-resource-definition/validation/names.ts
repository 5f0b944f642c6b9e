import type { CustomResourceDefinitionNames } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError } from '@orch/machinery';
import { dns1035label } from '@orch/machinery/formats';

/** Checks that kinds are labels, ignoring case, and that a kind differs from that of its list. */
export function checkKinds(path: string, names: CustomResourceDefinitionNames): readonly FieldError[] {
  // The schema checks the format of the other names.
  const kinds = (['kind', 'listKind'] as const).flatMap((field) => {
    const kind = names[field] ?? '';
    const wrong = kind === '' ? undefined : dns1035label(kind.toLowerCase());
    const why = `may have mixed case, but should otherwise match: ${wrong}`;
    return wrong === undefined ? [] : [fieldError.invalid(`${path}.${field}`, kind, why)];
  });
  return (names.kind ?? '') !== '' && names.kind === names.listKind
    ? [
        ...kinds,
        fieldError.invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'),
      ]
    : kinds;
}

/** Checks the names that a definition needs; accepted names may be missing. */
export const checkRequestedNames = (
  path: string,
  names: CustomResourceDefinitionNames,
): readonly FieldError[] => [
  ...(['plural', 'singular', 'kind', 'listKind'] as const).flatMap((field) =>
    (names[field] ?? '') === '' ? [fieldError.required(`${path}.${field}`)] : [],
  ),
  ...checkKinds(path, names),
];
