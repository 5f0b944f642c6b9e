import type { ObjectFilter, Scope } from '@orch/cache';
import { errors } from '@orch/machinery';
import {
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from '@orch/machinery/selectors';

/** The selectors of a request, as the cache evaluates them. */
export interface Selection {
  readonly filter: ObjectFilter;
  /** The name that the field selector requires, if any. */
  readonly name: string | undefined;
  /** The namespace that the field selector requires, if any. */
  readonly namespace: string | undefined;
}

/** Selects all objects. */
export const everythingFilter: ObjectFilter = Object.freeze({
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

/** Selectable fields of a resource. */
export interface Selectable {
  /** Maps field names of this version to those of the cache. */
  readonly selectableFields: ReadonlyMap<string, string>;
  /** In the order in which the cache holds their values. */
  readonly cache: { readonly resource: { readonly selectableFields: readonly string[] } };
}

/**
 * Reads label and field selector (facts: field labels). Throws a 400 `ApiError` for a malformed selector and for a
 * field that is not selectable.
 */
export function selectionOf(
  labelSelector: string,
  fieldSelector: string,
  { selectableFields, cache }: Selectable,
): Selection {
  if (labelSelector === '' && fieldSelector === '') return selectEverything;
  const byLabels = read(parseLabelSelector, labelSelector);
  const byFields = read(parseFieldSelector, fieldSelector);
  for (const { field } of byFields.requirements) {
    if (!selectableFields.has(field)) {
      throw errors.badRequest(
        `field label not supported: ${JSON.stringify(field)}; this resource can be selected by: ${[...selectableFields.keys()].join(', ')}`,
      );
    }
  }
  const equal = (field: string): string | undefined =>
    byFields.equalities.find((e) => e.field === field)?.value;
  return {
    filter: filterOf(
      byLabels,
      byFields,
      (field) => selectableFields.get(field) ?? field,
      cache.resource.selectableFields,
    ),
    name: equal('metadata.name'),
    namespace: equal('metadata.namespace'),
  };
}

function filterOf(
  byLabels: LabelSelector,
  byFields: FieldSelector,
  cachedName: (field: string) => string,
  cached: readonly string[],
): ObjectFilter {
  const terms = byFields.requirements.map(({ field, op, value }) => ({
    index: cached.indexOf(cachedName(field)),
    equal: op === '=',
    value,
  }));
  return {
    fieldEquals: byFields.equalities.map(({ field, value }) => ({ field: cachedName(field), value })),
    labelEquals: byLabels.equalities.map(({ key, value }) => ({ label: key, value })),
    matchesLabels: byLabels.everything ? () => true : (labels) => byLabels.matches(labels),
    matchesFields(object) {
      for (const term of terms) if ((object.field(term.index) === term.value) !== term.equal) return false;
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
 * The part of a resource that a request selects. `name` restricts it to one object when the namespace is known too.
 * Undefined when the selection contradicts the path: nothing can match then.
 */
export function scopeOf(namespaced: boolean, namespace: string, name: string | undefined): Scope {
  if (!namespaced) return name === undefined || name === '' ? { prefix: '' } : { prefix: '', exact: name };
  if (namespace === '') return { prefix: '' };
  const prefix = `${namespace}/`;
  return name === undefined || name === '' ? { prefix } : { prefix, exact: prefix + name };
}
