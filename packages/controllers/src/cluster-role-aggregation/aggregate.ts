import type { kinds } from '@orch/client';
import {
  type LabelSelector,
  type Labels,
  labelSelectorFromObject,
  SelectorError,
} from '@orch/machinery/selectors';

type ClusterRole = kinds.rbac.ClusterRole;
type PolicyRule = kinds.rbac.PolicyRule;

/**
 * The selectors of an aggregated role; undefined for a role whose rules are not aggregated. A role with an invalid selector counts
 * as not aggregated, so that it keeps its rules.
 */
export function memberSelectors({ aggregationRule }: ClusterRole): readonly LabelSelector[] | undefined {
  if (!aggregationRule) return undefined;
  try {
    return (aggregationRule.clusterRoleSelectors ?? []).map(labelSelectorFromObject);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** Reports whether one of these selectors matches the labels. */
export const selects = (selectors: readonly LabelSelector[], labels: Labels | undefined): boolean =>
  selectors.some((selector) => selector.matches(labels));

const byName = (a: ClusterRole, b: ClusterRole): number =>
  (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;

const rulesOf = ({ rules }: ClusterRole): readonly PolicyRule[] => rules ?? [];

/**
 * The rules that an aggregated role should have: those of the selected roles in order of their names, without duplicates.
 * Undefined when it has them already, or is not aggregated.
 */
export function missingRules(role: ClusterRole, all: Iterable<ClusterRole>): PolicyRule[] | undefined {
  const selectors = memberSelectors(role);
  if (selectors === undefined) return undefined;
  const selected = [...all]
    .filter(({ metadata }) => metadata.name !== role.metadata.name && selects(selectors, metadata.labels))
    .sort(byName);
  // Rules come from the server, which writes fields in one order: equal strings are equal rules.
  const rules = new Map(selected.flatMap(rulesOf).map((rule) => [JSON.stringify(rule), rule]));
  const present = rulesOf(role).map((rule) => JSON.stringify(rule));
  const wanted = [...rules.keys()];
  const isSame = present.length === wanted.length && present.every((text, i) => text === wanted[i]);
  return isSame ? undefined : [...rules.values()];
}
