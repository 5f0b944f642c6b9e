import { labelValue, qualifiedName } from '../formats/index.ts';
import { quoted, SelectorError } from './selector-error.ts';

export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';

/** One condition on one label. `values` is sorted; one value for `Gt` and `Lt`, none for the existence operators. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** A conjunction of conditions on labels. */
export interface LabelSelector {
  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  /** Selects every object, also one without labels. */
  readonly everything: boolean;
  /** Selects no object (an absent selector object). */
  readonly nothing: boolean;
  /** Labels that every match is sure to have, for indexes. */
  readonly equalities: readonly { readonly key: string; readonly value: string }[];
  matches(labels: Labels | null | undefined): boolean;
}

/** Object form, as in `spec.selector` of workloads. */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels | null;
  readonly matchExpressions?:
    | readonly {
        readonly key?: string;
        readonly operator?: string;
        readonly values?: readonly string[] | null;
      }[]
    | null;
}

const wholeNumber = /^[+-]?[0-9]{1,19}$/;

/** A requirement prepared for many objects: `has` returns whether a value is one of its values. */
interface CompiledRequirement extends LabelRequirement {
  readonly has: (value: string) => boolean;
}

/** Lists longer than this are looked up, not searched: a selector may name thousands of values. */
const SEARCHED_VALUES = 8;

function compile(requirement: LabelRequirement): CompiledRequirement {
  const { key, operator, values } = requirement;
  const [only] = values;
  if (values.length === 1) return { key, operator, values, has: (value) => value === only };
  if (values.length <= SEARCHED_VALUES)
    return { key, operator, values, has: (value) => values.includes(value) };
  const set = new Set(values);
  return { key, operator, values, has: (value) => set.has(value) };
}

function holds(requirement: CompiledRequirement, labels: Labels): boolean {
  // Keys such as `toString` are valid labels; what objects inherit under such names is never text.
  const found: unknown = labels[requirement.key];
  const value = typeof found === 'string' ? found : undefined;
  const { values } = requirement;
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && requirement.has(value);
    case 'NotIn':
      return value === undefined || !requirement.has(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt': {
      if (value === undefined || !wholeNumber.test(value)) return false;
      const bound = BigInt(values[0]?.replace('+', '') ?? '0');
      const actual = BigInt(value.replace('+', ''));
      return requirement.operator === 'Gt' ? actual > bound : actual < bound;
    }
  }
}

const noLabels: Labels = Object.freeze({});

function build(requirements: readonly LabelRequirement[], nothing: boolean): LabelSelector {
  const compiled = requirements.map(compile);
  return {
    requirements,
    everything: requirements.length === 0 && !nothing,
    nothing,
    equalities: requirements.flatMap((r) =>
      r.operator === 'In' && r.values.length === 1 ? [{ key: r.key, value: r.values[0] ?? '' }] : [],
    ),
    matches(labels) {
      if (nothing) return false;
      const present = labels ?? noLabels;
      for (const requirement of compiled) if (!holds(requirement, present)) return false;
      return true;
    },
  };
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A selector of checked requirements. */
export const labelSelector = (requirements: readonly LabelRequirement[]): LabelSelector =>
  build(
    requirements.toSorted((a, b) => byText(a.key, b.key)),
    false,
  );

/** Selects every object. */
export const everything: LabelSelector = build([], false);
/** Selects no object. */
export const nothing: LabelSelector = build([], true);

/** Checks key, operator and values of one requirement; throws a SelectorError that names the invalid one. */
export function labelRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  const wrongKey = qualifiedName(key);
  if (wrongKey !== undefined) throw new SelectorError(`key: Invalid value: ${quoted(key)}: ${wrongKey}`);
  const wrongCount = countProblem(operator, values.length);
  if (wrongCount !== undefined)
    throw new SelectorError(`values: Invalid value: ${quoted(values.join(','))}: ${wrongCount}`);
  values.forEach((value, i) => {
    const wrong =
      operator === 'Gt' || operator === 'Lt'
        ? wholeNumber.test(value)
          ? undefined
          : "for 'Gt', 'Lt' operators, the value must be an integer"
        : labelValue(value);
    if (wrong !== undefined)
      throw new SelectorError(`values[${i}][${key}]: Invalid value: ${quoted(value)}: ${wrong}`);
  });
  return { key, operator, values: [...new Set(values)].sort(byText) };
}

function countProblem(operator: LabelOperator, count: number): string | undefined {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? undefined : "for 'in', 'notin' operators, values set can't be empty";
    case 'Exists':
    case 'DoesNotExist':
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
    case 'Gt':
    case 'Lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
}

const objectOperators: readonly string[] = [
  'In',
  'NotIn',
  'Exists',
  'DoesNotExist',
] satisfies LabelOperator[];

/**
 * The selector of an object form. Absent (`undefined`, `null`) selects nothing, `{}` selects everything. Throws a
 * SelectorError for values that validation should have rejected.
 */
export function labelSelectorFromObject(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (object === null || object === undefined) return nothing;
  const fromLabels = Object.entries(object.matchLabels ?? {}).map(([k, v]) => labelRequirement(k, 'In', [v]));
  const fromExpressions = (object.matchExpressions ?? []).map(({ key = '', operator = '', values }) => {
    if (!objectOperators.includes(operator)) {
      throw new SelectorError(`${quoted(operator)} is not a valid label selector operator`);
    }
    return labelRequirement(key, operator as LabelOperator, values ?? []);
  });
  return labelSelector([...fromLabels, ...fromExpressions]);
}

/** The selector that requires exactly these labels (a Service's or ReplicationController's `spec.selector`). */
export const labelSelectorFromMap = (labels: Labels): LabelSelector =>
  labelSelector(Object.entries(labels).map(([k, v]) => labelRequirement(k, 'In', [v])));

function formatRequirement(r: LabelRequirement): string {
  const [first = ''] = r.values;
  switch (r.operator) {
    case 'In':
      return r.values.length === 1 ? `${r.key}=${first}` : `${r.key} in (${r.values.join(',')})`;
    case 'NotIn':
      return r.values.length === 1 ? `${r.key}!=${first}` : `${r.key} notin (${r.values.join(',')})`;
    case 'Exists':
      return r.key;
    case 'DoesNotExist':
      return `!${r.key}`;
    case 'Gt':
      return `${r.key}>${first}`;
    case 'Lt':
      return `${r.key}<${first}`;
  }
}

/** The string form, requirements in order of their keys. `''` for everything; `nothing` has no string form but shows as `<none>`. */
export const formatLabelSelector = (selector: LabelSelector): string =>
  selector.nothing ? '<none>' : selector.requirements.map(formatRequirement).join(',');
