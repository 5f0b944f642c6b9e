import type { ApiObject } from '@orch/machinery';
import { asObjects, asText, type JsonObject, statusOf } from '@orch/machinery/json';

/** A condition of a definition, without the time at which it changed. */
export interface DefinitionCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export const conditionsIn = (definition: ApiObject): readonly JsonObject[] =>
  asObjects(statusOf(definition)['conditions']);

/** Reports whether a condition has a status; an absent condition has none. */
export const hasCondition = (definition: ApiObject, wanted: string, wantedStatus: string): boolean =>
  conditionsIn(definition).some(({ status, type }) => type === wanted && status === wantedStatus);

/**
 * Replaces conditions in a list by their type. The transition time changes only with the status. Returns the list
 * itself when nothing changes.
 */
export function withConditions(
  conditions: readonly JsonObject[],
  next: readonly DefinitionCondition[],
  now: string,
): readonly JsonObject[] {
  let result = conditions;
  for (const condition of next) {
    const old = result.find(({ type }) => type === condition.type);
    if (old !== undefined && isSame(old, condition)) continue;
    const isKept = old?.['status'] === condition.status && asText(old['lastTransitionTime']) !== '';
    const made = { ...condition, lastTransitionTime: isKept ? old['lastTransitionTime'] : now };
    result = old === undefined ? [...result, made] : result.map((one) => (one === old ? made : one));
  }
  return result;
}

const isSame = (old: JsonObject, { message, reason, status }: DefinitionCondition): boolean =>
  old['status'] === status && old['reason'] === reason && asText(old['message']) === message;
