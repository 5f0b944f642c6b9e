import type { ObjectFilter, Scope } from '@orch/cache';
import {
  errors,
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from '@orch/machinery';

/** Selectors of a request in the form that the cache evaluates. */
export interface Selection {
  readonly filter: ObjectFilter;
  /** The one name that the field selector asks for, when it does. */
  readonly name: string | undefined;
  /** The one namespace that the field selector asks for, when it does. */
  readonly namespace: string | undefined;
}

const everythingFilter: ObjectFilter = Object.freeze({
  fieldEquals: Object.freeze([]),
  matchesLabels: () => true,
  matchesFields: () => true,
  everything: true,
});

const selectEverything: Selection = Object.freeze({
  filter: everythingFilter,
  name: undefined,
  namespace: undefined,
});

/**
 * Reads label and field selector (facts: field labels). `fields` are the resource's selectable fields in the order of
 * the cache. Throws a 400 `ApiError` for what cannot be read, and for a field that cannot be selected by.
 */
export function selectionOf(
  labelSelector: string,
  fieldSelector: string,
  fields: readonly string[],
): Selection {
  if (labelSelector === '' && fieldSelector === '') return selectEverything;
  const byLabels = read(parseLabelSelector, labelSelector);
  const byFields = read(parseFieldSelector, fieldSelector);
  for (const { field } of byFields.requirements) {
    if (!fields.includes(field)) {
      throw errors.badRequest(
        `field label not supported: ${JSON.stringify(field)}; this resource can be selected by: ${fields.join(', ')}`,
      );
    }
  }
  const equal = (field: string): string | undefined =>
    byFields.equalities.find((e) => e.field === field)?.value;
  return {
    filter: filterOf(byLabels, byFields, fields),
    name: equal('metadata.name'),
    namespace: equal('metadata.namespace'),
  };
}

function filterOf(byLabels: LabelSelector, byFields: FieldSelector, fields: readonly string[]): ObjectFilter {
  const terms = byFields.requirements.map(({ field, op, value }) => ({
    index: fields.indexOf(field),
    equal: op === '=',
    value,
  }));
  return {
    fieldEquals: byFields.equalities,
    matchesLabels: byLabels.everything ? () => true : (labels) => byLabels.matches(labels),
    matchesFields(values) {
      for (const term of terms) if ((values[term.index] === term.value) !== term.equal) return false;
      return true;
    },
    everything: byLabels.everything && byFields.everything,
  };
}

function read<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (cause) {
    if (cause instanceof SelectorError) throw errors.badRequest(cause.message);
    throw cause;
  }
}

/**
 * The part of a resource that a request is about. `name` narrows it to one object where the namespace is known too.
 * Undefined when the selection contradicts the path: nothing can match then.
 */
export function scopeOf(namespaced: boolean, namespace: string, name: string | undefined): Scope {
  if (!namespaced) return name === undefined || name === '' ? { prefix: '' } : { prefix: '', exact: name };
  if (namespace === '') return { prefix: '' };
  const prefix = `${namespace}/`;
  return name === undefined || name === '' ? { prefix } : { prefix, exact: prefix + name };
}
