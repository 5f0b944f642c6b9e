import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from '@orch/kinds/apiextensions';

/** A condition of a definition, without the time at which it changed. */
export interface DefinitionCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export const conditionsIn = ({
  status,
}: CustomResourceDefinition): readonly CustomResourceDefinitionCondition[] => status?.conditions ?? [];

/** Reports whether a condition has a status; an absent condition has none. */
export const hasCondition = (
  definition: CustomResourceDefinition,
  wanted: string,
  wantedStatus: string,
): boolean => conditionsIn(definition).some(({ status, type }) => type === wanted && status === wantedStatus);

/**
 * Replaces conditions in a list by their type. The transition time changes only with the status. Returns the list
 * itself when nothing changes.
 */
export function withConditions(
  conditions: readonly CustomResourceDefinitionCondition[],
  next: readonly DefinitionCondition[],
  now: string,
): readonly CustomResourceDefinitionCondition[] {
  let result = conditions;
  for (const condition of next) {
    const old = result.find(({ type }) => type === condition.type);
    if (old !== undefined && isSame(old, condition)) continue;
    const since = old?.status === condition.status ? old.lastTransitionTime : undefined;
    const made = { ...condition, lastTransitionTime: since || now };
    result = old === undefined ? [...result, made] : result.map((one) => (one === old ? made : one));
  }
  return result;
}

const isSame = (
  old: CustomResourceDefinitionCondition,
  { message, reason, status }: DefinitionCondition,
): boolean => old.status === status && old.reason === reason && (old.message ?? '') === message;
