import { dns1035label, type FieldError, fieldError } from '@orch/machinery';
import { asText, type JsonObject } from '../../../read.ts';

/** Kinds are labels in which case does not count, and a kind is not that of its list. */
export function checkKinds(path: string, names: JsonObject): readonly FieldError[] {
  const kinds = ['kind', 'listKind'].flatMap((member) => {
    const kind = asText(names[member]);
    const wrong = kind === '' ? undefined : dns1035label(kind.toLowerCase());
    const why = `may have mixed case, but should otherwise match: ${wrong}`;
    return wrong === undefined ? [] : [fieldError.invalid(`${path}.${member}`, kind, why)];
  });
  return asText(names['kind']) !== '' && names['kind'] === names['listKind']
    ? [
        ...kinds,
        fieldError.invalid(`${path}.listKind`, names['listKind'], 'kind and listKind may not be the same'),
      ]
    : kinds;
}

/** Names that a definition needs; those that were accepted may be missing. */
export const checkWantedNames = (path: string, names: JsonObject): readonly FieldError[] => [
  ...['plural', 'singular', 'kind', 'listKind'].flatMap((member) =>
    asText(names[member]) === '' ? [fieldError.required(`${path}.${member}`)] : [],
  ),
  ...checkKinds(path, names),
];
