import type {
  NodeAffinity,
  PodAffinityTerm,
  PodSchedulingGate,
  TopologySpreadConstraint,
} from '@orch/kinds/core';
import type { LabelSelector } from '@orch/kinds/meta';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../../../validation-rules.ts';

const whenUnsatisfiable = ['DoNotSchedule', 'ScheduleAnyway'];
const unselected = 'must not be specified when labelSelector is not set';

/** For compatibility, a duplicate pair is an error of each occurrence that another one follows. */
export function checkSpread(
  path: string,
  constraints: readonly TopologySpreadConstraint[],
): readonly FieldError[] {
  const last = new Map<string, number>();
  return constraints.flatMap((constraint, i) => {
    const errors: FieldError[] = [];
    const action = constraint.whenUnsatisfiable ?? '';
    if (!whenUnsatisfiable.includes(action)) {
      errors.push(fieldError.notSupported(`${path}[${i}].whenUnsatisfiable`, action, whenUnsatisfiable));
    }
    const pair = `{${constraint.topologyKey ?? ''}, ${action}}`;
    const earlier = last.get(pair);
    if (earlier !== undefined)
      errors.push(fieldError.duplicate(`${path}[${earlier}].{topologyKey, whenUnsatisfiable}`, pair));
    last.set(pair, i);
    return errors;
  });
}

/** Checks that the least number of domains stands beside the action that it is for, and the keys of labels. */
export const checkSpreadConstraint: Check<TopologySpreadConstraint> = (constraint, { path, old, since }) => {
  const { minDomains, whenUnsatisfiable: action, matchLabelKeys = [], labelSelector } = constraint;
  const errors: FieldError[] = [];
  if (minDomains !== undefined && action !== 'DoNotSchedule') {
    const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
    errors.push(fieldError.invalid(`${path}.minDomains`, minDomains, why));
  }
  if (old !== undefined && jsonEquals(old, constraint)) return errors;
  const keys = since('1.34', 'MatchLabelKeysInPodTopologySpreadSelectorMerge')
    ? checkMergedKeys(path, matchLabelKeys, labelSelector)
    : checkSeparateKeys(`${path}.matchLabelKeys`, matchLabelKeys, labelSelector);
  return [...errors, ...keys];
};

/** Releases that do not add the labels of a pod to its selectors allow each key in one of both places. */
function checkSeparateKeys(
  path: string,
  keys: readonly string[],
  selector: LabelSelector | undefined,
): readonly FieldError[] {
  if (keys.length === 0) return [];
  const selected = new Set(keysOf(selector ?? {}));
  return [
    ...(selector === undefined ? [fieldError.forbidden(path, unselected)] : []),
    ...keys.flatMap((key, i) => [
      ...checkFormat('qualifiedName', `${path}[${i}]`, key),
      ...(selected.has(key)
        ? [fieldError.invalid(`${path}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector')]
        : []),
    ]),
  ];
}

const keysOf = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): readonly string[] => [
  ...Object.keys(matchLabels),
  ...matchExpressions.map(({ key = '' }) => key),
];

function checkKeys(
  path: string,
  keys: readonly string[],
  selector: LabelSelector | undefined,
): readonly FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined) return [fieldError.forbidden(path, unselected)];
  return keys.flatMap((key, i) => checkFormat('qualifiedName', `${path}[${i}]`, key));
}

/**
 * The selector has an expression for each key that the pod has a label of, so a second one shows that the client selects
 * by the same key. For compatibility, the error names an item of the constraint or term.
 */
function checkMergedKeys(
  path: string,
  keys: readonly string[],
  selector: LabelSelector | undefined,
): readonly FieldError[] {
  const errors = [...checkKeys(`${path}.matchLabelKeys`, keys, selector)];
  if (keys.length === 0 || selector === undefined) return errors;
  const places = new Map(keys.map((key, i) => [key, i]));
  const known = new Set(Object.keys(selector.matchLabels ?? {}));
  for (const { key = '' } of selector.matchExpressions ?? []) {
    const place = places.get(key);
    if (place !== undefined && known.has(key))
      errors.push(
        fieldError.invalid(`${path}[${place}]`, key, 'exists in both matchLabelKeys and labelSelector'),
      );
    known.add(key);
  }
  return errors;
}

/** Checks the names of namespaces of a term; for compatibility, an error is about a field `namespace`. */
const checkNamespaces = (path: string, names: readonly string[]): readonly FieldError[] =>
  names.flatMap((name) => checkFormat('dns1123label', `${path}.namespace`, name));

/** Checks the namespaces of a term, and the keys of labels: none is both for equal and for different values. */
export const checkAffinityTerm: Check<PodAffinityTerm> = (term, { path, old }) => {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = term;
  const errors = checkNamespaces(path, term.namespaces ?? []);
  if (matchLabelKeys.length + mismatchLabelKeys.length === 0) return errors;
  if (old !== undefined && jsonEquals(old, term)) return errors;
  const mismatched = new Set(mismatchLabelKeys);
  return [
    ...errors,
    ...checkMergedKeys(path, matchLabelKeys, labelSelector),
    ...checkKeys(`${path}.mismatchLabelKeys`, mismatchLabelKeys, labelSelector),
    ...matchLabelKeys.flatMap((key, i) =>
      mismatched.has(key)
        ? [
            fieldError.invalid(
              `${path}.matchLabelKeys[${i}]`,
              key,
              'exists in both matchLabelKeys and mismatchLabelKeys',
            ),
          ]
        : [],
    ),
  ];
};

type Required = NonNullable<NodeAffinity['requiredDuringSchedulingIgnoredDuringExecution']>;

const valuesIn = (path: string, { nodeSelectorTerms }: Required): readonly FieldError[] =>
  (nodeSelectorTerms ?? []).flatMap(({ matchExpressions = [] }, i) =>
    matchExpressions.flatMap(({ values = [] }, j) =>
      values.flatMap((value, k) =>
        checkFormat(
          'labelValue',
          `${path}.nodeSelectorTerms[${i}].matchExpressions[${j}].values[${k}]`,
          value,
        ),
      ),
    ),
  );

/** From 1.33 on, values of required nodes are those of labels; a stored pod with others can be updated. */
export const checkRequiredNodes: Check<NodeAffinity> = (affinity, { path, old, since }) => {
  const { requiredDuringSchedulingIgnoredDuringExecution: nodes } = affinity;
  if (nodes === undefined || !since('1.33')) return [];
  const at = `${path}.requiredDuringSchedulingIgnoredDuringExecution`;
  const before = old?.requiredDuringSchedulingIgnoredDuringExecution;
  return before !== undefined && valuesIn(at, before).length > 0 ? [] : valuesIn(at, nodes);
};

/** Checks the names of gates. For compatibility, errors name the gate. */
export function checkGates(path: string, gates: readonly PodSchedulingGate[] = []): readonly FieldError[] {
  const known = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, { name = '' }] of gates.entries()) {
    const at = `${path}.schedulingGates[${i}]`;
    errors.push(...checkFormat('qualifiedName', at, name));
    if (known.has(name)) errors.push(fieldError.duplicate(at, name));
    known.add(name);
  }
  return errors;
}
