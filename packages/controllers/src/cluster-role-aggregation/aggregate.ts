import {
  type ApiObject,
  isJsonObject,
  type LabelSelector,
  type LabelSelectorObject,
  type Labels,
  labelSelectorFromObject,
  SelectorError,
} from '@orch/machinery';

/**
 * The selectors of a role that is made of others; undefined for one that has rules of its own. One with a selector that
 * cannot be understood counts as such, so that nobody loses permissions by it.
 */
export function memberSelectors(role: ApiObject): readonly LabelSelector[] | undefined {
  const { aggregationRule } = role;
  if (!isJsonObject(aggregationRule)) return undefined;
  const selectors = aggregationRule['clusterRoleSelectors'];
  if (!Array.isArray(selectors)) return [];
  try {
    return selectors
      .filter(isJsonObject)
      .map((selector) => labelSelectorFromObject(selector as LabelSelectorObject));
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** Whether a role with these labels is part of one with these selectors. */
export const selects = (selectors: readonly LabelSelector[], labels: Labels | undefined): boolean =>
  selectors.some((selector) => selector.matches(labels));

const byName = (a: ApiObject, b: ApiObject): number =>
  (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;

const rulesOf = ({ rules }: ApiObject): readonly unknown[] => (Array.isArray(rules) ? rules : []);

/**
 * The rules that a role should have which is made of others: those of its parts in order of their names, each once.
 * Undefined when it has them already, or has rules of its own.
 */
export function missingRules(role: ApiObject, all: Iterable<ApiObject>): readonly unknown[] | undefined {
  const selectors = memberSelectors(role);
  if (selectors === undefined) return undefined;
  const parts = [...all]
    .filter(({ metadata }) => metadata.name !== role.metadata.name && selects(selectors, metadata.labels))
    .sort(byName);
  // Rules come from the server, which writes members in one order: the same text is the same rule.
  const rules = new Map(parts.flatMap(rulesOf).map((rule) => [JSON.stringify(rule), rule]));
  const present = rulesOf(role).map((rule) => JSON.stringify(rule));
  const wanted = [...rules.keys()];
  const isSame = present.length === wanted.length && present.every((text, i) => text === wanted[i]);
  return isSame ? undefined : [...rules.values()];
}
