import { checkLength, quoted, SelectorError } from './selector-error.ts';

/** One term of a field selector: the field's value is (`=`) or is not (`!=`) the given one. */
export interface FieldRequirement {
  readonly field: string;
  readonly op: '=' | '!=';
  readonly value: string;
}

/** A conjunction of comparisons with values of fields. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** Selects everything: it has no requirements. */
  readonly everything: boolean;
  /** The `=` requirements, for indexes: whatever the selector matches has all of these values. */
  readonly equalities: readonly FieldRequirement[];
  /** `fieldValue` returns the field's value as text, `''` where it has none. */
  matches(fieldValue: (field: string) => string): boolean;
}

/** Most terms that one field selector may have. */
const MAX_FIELD_TERMS = 256;

/** Splits at commas that no backslash escapes. */
function terms(text: string): string[] {
  const out: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      out.push(text.slice(start, i));
      start = i + 1;
    }
  }
  out.push(text.slice(start));
  return out;
}

function unescapeValue(value: string): string {
  let out = '';
  for (let i = 0; i < value.length; i++) {
    const c = value[i] ?? '';
    if (c === '\\') {
      const next = value[++i];
      if (next !== '\\' && next !== ',' && next !== '=') {
        throw new SelectorError(
          `invalid field selector: ${quoted(value)}: a backslash may only stand before '\\', ',' or '='`,
        );
      }
      out += next;
    } else if (c === ',' || c === '=') {
      throw new SelectorError(`invalid field selector: ${quoted(value)}: unescaped '${c}' in a value`);
    } else out += c;
  }
  return out;
}

function parseTerm(term: string): FieldRequirement {
  for (let i = 0; i < term.length; i++) {
    const op = term.startsWith('!=', i)
      ? '!='
      : term.startsWith('==', i)
        ? '=='
        : term[i] === '='
          ? '='
          : undefined;
    if (op === undefined) continue;
    const field = term.slice(0, i);
    return { field, op: op === '!=' ? '!=' : '=', value: unescapeValue(term.slice(i + op.length)) };
  }
  throw new SelectorError(
    `invalid field selector: ${quoted(term)}: expected field=value, field==value or field!=value`,
  );
}

/** A selector of the given requirements. */
export function fieldSelector(requirements: readonly FieldRequirement[]): FieldSelector {
  const equalities = requirements.filter((r) => r.op === '=');
  return {
    requirements,
    everything: requirements.length === 0,
    equalities,
    matches(fieldValue) {
      for (const r of requirements) if ((fieldValue(r.field) === r.value) !== (r.op === '=')) return false;
      return true;
    },
  };
}

/**
 * Reads `a.b=x,c!=y` (facts: field labels). `''` selects everything; empty terms are skipped. The caller checks whether
 * the resource has the field. Throws a SelectorError.
 */
export function parseFieldSelector(text: string): FieldSelector {
  checkLength('field', text);
  const present = terms(text).filter((t) => t !== '');
  if (present.length > MAX_FIELD_TERMS) {
    throw new SelectorError(`the field selector has ${present.length} terms, more than ${MAX_FIELD_TERMS}`);
  }
  return fieldSelector(present.map(parseTerm));
}
