import { RefusedRequest } from './refused-request.ts';

/** The labels of objects: the text of a selector, or an object as in the spec of a workload, all of whose parts hold. */
export type LabelSelection =
  | string
  | {
      readonly matchLabels?: Readonly<Record<string, string>> | null;
      readonly matchExpressions?: readonly LabelCondition[] | null;
    };

/** A condition on the values of a label. */
export interface LabelCondition {
  readonly key: string;
  /** Whether the label has one of the values, has none of them, is there, or is not there. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | (string & {});
  readonly values?: readonly string[] | null;
}

/** The fields of objects: the text of a selector, or the value of each field by its path. */
export type FieldSelection = string | Readonly<Record<string, string>>;

/** The text of a selection in a request. Throws a `RefusedRequest` for an unknown operator. */
export function labelText(selection: LabelSelection | undefined): string | undefined {
  if (selection === undefined || typeof selection === 'string') return selection;
  const { matchLabels, matchExpressions } = selection;
  const labels = Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  return [...labels, ...(matchExpressions ?? []).map(conditionText)].join(',');
}

function conditionText({ key, operator, values }: LabelCondition): string {
  const list = `(${(values ?? []).join(',')})`;
  switch (operator) {
    case 'In':
      return `${key} in ${list}`;
    case 'NotIn':
      return `${key} notin ${list}`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      throw new RefusedRequest(`labelSelector: ${JSON.stringify(operator)} is not an operator`);
  }
}

/** The text of a selection in a request. */
export function fieldText(selection: FieldSelection | undefined): string | undefined {
  if (selection === undefined || typeof selection === 'string') return selection;
  return Object.entries(selection)
    .map(([path, value]) => `${path}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
}
