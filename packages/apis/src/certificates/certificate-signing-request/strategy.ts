import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from '@orch/kinds/certificates';
import type { Draft } from '@orch/kinds/draft';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { keepStatus } from '../../status-strategy.ts';
import { conditionsOf, conditionsOfType } from './conditions.ts';
import { validateSigningRequest } from './validation/request.ts';

type Condition = CertificateSigningRequestCondition;

/** Sets the requester to the authenticated user, regardless of the body. */
function setRequester(next: Draft<CertificateSigningRequest>, { user }: StrategyContext): void {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...rest } = next.spec ?? {};
  next.spec = {
    ...rest,
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

const isSet = (time: string | null | undefined): time is string => typeof time === 'string';

/** Sets the times of the last update and the last transition of a condition unless the client does. */
function stamped(condition: Condition, old: CertificateSigningRequest, now: string): Condition {
  const { type, status, lastUpdateTime, lastTransitionTime } = condition;
  const before = conditionsOf(old).find(
    (one) => one.type === type && one.status === status && isSet(one.lastTransitionTime),
  );
  return {
    ...condition,
    lastUpdateTime: isSet(lastUpdateTime) ? lastUpdateTime : now,
    lastTransitionTime: isSet(lastTransitionTime) ? lastTransitionTime : (before?.lastTransitionTime ?? now),
  };
}

const stampedConditions = (
  next: CertificateSigningRequest,
  old: CertificateSigningRequest,
  now: string,
): readonly Condition[] => conditionsOf(next).map((condition) => stamped(condition, old, now));

const withConditions = (
  status: CertificateSigningRequestStatus,
  conditions: readonly Condition[],
): CertificateSigningRequestStatus => {
  const { conditions: _conditions, ...rest } = status;
  return conditions.length === 0 ? rest : { conditions, ...rest };
};

/** Decisions are restored as stored; added and removed ones remain visible to validation. */
function keepDecisions(
  next: CertificateSigningRequest,
  old: CertificateSigningRequest,
): readonly Condition[] {
  const kept = new Map<Condition, Condition>();
  for (const type of ['Approved', 'Denied']) {
    const before = conditionsOfType(old, type);
    const after = conditionsOfType(next, type);
    if (before.length !== after.length) continue;
    for (const [i, condition] of after.entries()) kept.set(condition, before[i] ?? {});
  }
  return conditionsOf(next).map((condition) => kept.get(condition) ?? condition);
}

/**
 * Requests for certificates (spec 3.1): the spec never changes, `/approval` writes conditions only, `/status` writes
 * the certificate and all conditions but the decisions, and the main resource writes only metadata.
 */
/** The spec never changes after creation. */
function keepRequest(next: Draft<CertificateSigningRequest>, old: CertificateSigningRequest): void {
  if (old.spec === undefined) delete next.spec;
  else next.spec = old.spec;
}

export const certificateSigningRequestStrategy: Strategy<CertificateSigningRequest> =
  strategyOf<CertificateSigningRequest>({
    resetStatus: true,
    fixedSpec: true,
    prepareForCreate: setRequester,
    prepareForUpdate(next, old, context) {
      keepRequest(next, old);
      keepStatus(next, old, context);
    },
    validate: validateSigningRequest('main'),
    through: {
      status: {
        prepareForUpdate(next, old, { now }) {
          keepRequest(next, old);
          next.status = withConditions(next.status ?? {}, keepDecisions(next, old));
          next.status = withConditions(next.status ?? {}, stampedConditions(next, old, now));
        },
        validate: validateSigningRequest('status'),
      },
      approval: {
        prepareForUpdate(next, old, { now }) {
          const conditions = stampedConditions(next, old, now);
          keepRequest(next, old);
          next.status = withConditions(old.status ?? {}, conditions);
        },
        validate: validateSigningRequest('approval'),
      },
    },
  });
