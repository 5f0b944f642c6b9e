import type { ApiObject } from '@orch/machinery';
import { asObjects, asText, type JsonObject, jsonEquals, objectAt } from '@orch/machinery/json';
import { policyRule, ruleObject, ruleText, uncovered } from './rule-coverage.ts';

/** The changes that give a role or binding the permissions or subjects of a file. */
export interface Reconciled {
  readonly operation: 'none' | 'create' | 'update' | 'recreate';
  /** The object to write; the existing one for `none`. */
  readonly object: ApiObject;
  /** Lines that describe the difference. */
  readonly details: string;
}

export interface ReconcileOptions {
  readonly removePermissions: boolean;
  readonly removeSubjects: boolean;
  /** The API group of roles. */
  readonly group: string;
}

/** Compares the existing object with the one of the file. */
export function reconciled(
  existing: ApiObject | undefined,
  wanted: ApiObject,
  options: ReconcileOptions,
): Reconciled {
  return wanted['roleRef'] === undefined
    ? reconciledRole(existing, wanted, options)
    : reconciledBinding(existing, withDefaults(wanted, options.group), options);
}

function reconciledRole(
  existing: ApiObject | undefined,
  wanted: ApiObject,
  { removePermissions }: ReconcileOptions,
): Reconciled {
  const rules = asObjects(wanted['rules']).map(policyRule);
  if (existing === undefined)
    return change('create', wanted, [section('missing rules added', rules.map(ruleText))]);
  const current = asObjects(existing['rules']).map(policyRule);
  const missing = uncovered(current, rules);
  const extra = removePermissions ? uncovered(rules, current) : [];
  const merged = withMetadata(existing, wanted);
  const selectors = missingSelectors(existing, wanted);
  const isChanged = merged !== existing || missing.length + extra.length + selectors.length > 0;
  if (!isChanged) return change('none', existing, []);
  // Rules of an aggregated role are written by the server.
  const isAggregated = existing['aggregationRule'] !== undefined || selectors.length > 0;
  const nextRules = removePermissions && missing.length + extra.length > 0 ? rules : [...current, ...missing];
  const object = {
    ...merged,
    ...(!isAggregated && { rules: nextRules.map(ruleObject) }),
    ...(selectors.length > 0 && { aggregationRule: withSelectors(existing, selectors) }),
  };
  return change('update', object, [
    section('missing rules added', missing.map(ruleText)),
    section('extra rules removed', extra.map(ruleText)),
  ]);
}

function reconciledBinding(
  existing: ApiObject | undefined,
  wanted: ApiObject,
  { removeSubjects }: ReconcileOptions,
): Reconciled {
  const subjects = asObjects(wanted['subjects']);
  if (existing === undefined)
    return change('create', wanted, [section('missing subjects added', subjects.map(subjectText))]);
  if (!jsonEquals(existing['roleRef'], wanted['roleRef'])) return change('recreate', wanted, []);
  const current = asObjects(existing['subjects']);
  const missing = without(subjects, current);
  const extra = removeSubjects ? without(current, subjects) : [];
  const merged = withMetadata(existing, wanted);
  if (merged === existing && missing.length + extra.length === 0) return change('none', existing, []);
  const next = removeSubjects && missing.length + extra.length > 0 ? subjects : [...current, ...missing];
  return change('update', { ...merged, subjects: next }, [
    section('missing subjects added', missing.map(subjectText)),
    section('extra subjects removed', extra.map(subjectText)),
  ]);
}

const without = (list: readonly JsonObject[], other: readonly JsonObject[]): readonly JsonObject[] =>
  list.filter((one) => !other.some((two) => subjectText(one) === subjectText(two)));

const subjectText = (subject: JsonObject): string =>
  `{Kind:${asText(subject['kind'])} APIGroup:${asText(subject['apiGroup'])} Name:${asText(subject['name'])} Namespace:${asText(subject['namespace'])}}`;

/** The binding with the API groups that may be left out. */
function withDefaults(binding: ApiObject, group: string): ApiObject {
  const subjects = asObjects(binding['subjects']).map((subject) =>
    subject['kind'] === 'ServiceAccount' ? subject : { apiGroup: group, ...subject },
  );
  return { ...binding, roleRef: { apiGroup: group, ...objectAt(binding, 'roleRef') }, subjects };
}

/** The existing object with missing labels and annotations; the same object when none is missing. */
function withMetadata(existing: ApiObject, wanted: ApiObject): ApiObject {
  const metadata: Record<string, unknown> = { ...existing.metadata };
  let isChanged = false;
  for (const field of ['labels', 'annotations'] as const) {
    const current = existing.metadata[field] ?? {};
    const merged = { ...wanted.metadata[field], ...current };
    if (Object.keys(merged).length === Object.keys(current).length) continue;
    metadata[field] = merged;
    isChanged = true;
  }
  return isChanged ? { ...existing, metadata } : existing;
}

const selectorsOf = (role: ApiObject): readonly JsonObject[] =>
  asObjects(objectAt(role, 'aggregationRule')['clusterRoleSelectors']);

const missingSelectors = (existing: ApiObject, wanted: ApiObject): readonly JsonObject[] =>
  selectorsOf(wanted).filter((one) => !selectorsOf(existing).some((two) => jsonEquals(one, two)));

const withSelectors = (existing: ApiObject, missing: readonly JsonObject[]): JsonObject => ({
  clusterRoleSelectors: [...selectorsOf(existing), ...missing],
});

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\t${title}:\n${lines.map((line) => `\t\t${line}\n`).join('')}`;

const change = (
  operation: Reconciled['operation'],
  object: ApiObject,
  sections: readonly string[],
): Reconciled => ({
  operation,
  object,
  details: operation === 'none' ? '' : `\treconciliation required ${operation}\n${sections.join('')}`,
});
