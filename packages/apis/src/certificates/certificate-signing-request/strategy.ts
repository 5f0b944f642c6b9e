import type { ApiObject } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import { asObject, type JsonObject, specOf, statusOf } from '../../read.ts';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { conditionsOf, conditionsOfType } from './conditions.ts';
import { validateSigningRequest } from './validation/request.ts';

/** Who asks is what the server knows of the user, whatever the request says. */
function setRequester(next: ApiObject, { user }: StrategyContext): void {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...asked } = specOf(next);
  next['spec'] = {
    ...asked,
    ...(user.name === '' ? {} : { username: user.name }),
    ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
    ...(user.extra === undefined || Object.keys(user.extra).length === 0
      ? {}
      : { extra: copied(user.extra) }),
  };
}

const copied = (extra: NonNullable<StrategyContext['user']['extra']>): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));

const isSet = (time: unknown): boolean => typeof time === 'string';

/** When a condition was written, and since when it has had its status, where the client does not say. */
function stamped(condition: JsonObject, old: ApiObject, now: string): JsonObject {
  const { type, status, lastUpdateTime, lastTransitionTime } = condition;
  const before = conditionsOf(old).find(
    (one) => one['type'] === type && one['status'] === status && isSet(one['lastTransitionTime']),
  );
  return {
    ...condition,
    lastUpdateTime: isSet(lastUpdateTime) ? lastUpdateTime : now,
    lastTransitionTime: isSet(lastTransitionTime)
      ? lastTransitionTime
      : (before?.['lastTransitionTime'] ?? now),
  };
}

const stampedConditions = (next: ApiObject, old: ApiObject, now: string): readonly JsonObject[] =>
  conditionsOf(next).map((condition) => stamped(condition, old, now));

const withConditions = (status: JsonObject, conditions: readonly JsonObject[]): JsonObject => {
  const { conditions: _conditions, ...rest } = status;
  return conditions.length === 0 ? rest : { conditions, ...rest };
};

/** Decisions come back as they are stored; added and removed ones stay in sight of validation. */
function keepDecisions(next: ApiObject, old: ApiObject): readonly JsonObject[] {
  const kept = new Map<JsonObject, JsonObject>();
  for (const type of ['Approved', 'Denied']) {
    const before = conditionsOfType(old, type);
    const after = conditionsOfType(next, type);
    if (before.length !== after.length) continue;
    for (const [i, condition] of after.entries()) kept.set(condition, asObject(before[i]));
  }
  return conditionsOf(next).map((condition) => kept.get(condition) ?? condition);
}

/**
 * Requests for certificates (spec 3.1): what is asked never changes, `/approval` writes conditions only, `/status` writes
 * the certificate and all conditions but the decisions, and the main resource writes nothing but metadata.
 */
export const certificateSigningRequestStrategy: Strategy = strategyOf({
  resetStatus: true,
  prepareForCreate: setRequester,
  prepareForUpdate(next, old) {
    next['spec'] = old['spec'];
    next['status'] = old['status'];
  },
  validate: validateSigningRequest('main'),
  through: {
    status: {
      prepareForUpdate(next, old, { now }) {
        next['spec'] = old['spec'];
        next['status'] = withConditions(statusOf(next), keepDecisions(next, old));
        next['status'] = withConditions(statusOf(next), stampedConditions(next, old, now));
      },
      validate: validateSigningRequest('status'),
    },
    approval: {
      prepareForUpdate(next, old, { now }) {
        const conditions = stampedConditions(next, old, now);
        next['spec'] = old['spec'];
        next['status'] = withConditions(statusOf(old), conditions);
      },
      validate: validateSigningRequest('approval'),
    },
  },
});
