import type { Attributes, Authorizer, Decision } from '@orch/auth';
import { type Names, whenFulfilled } from '@orch/machinery';
import {
  type Answer,
  attributesOf,
  forbidden,
  type Handler,
  type Identified,
  type Stage,
} from '@orch/request';

/** Authorizes the request; a denied one is answered with 403. */
export function authorize(
  authorizer: Authorizer,
  { auditAnnotations: keys }: Pick<Names, 'auditAnnotations'>,
): Stage<Identified> {
  const proceed = (
    decision: Decision,
    context: Identified,
    attributes: Attributes,
    next: Handler<Identified>,
  ): Answer => {
    const isAllowed = decision.verdict === 'allow';
    const { annotate } = context.trace;
    if (annotate !== undefined) {
      annotate(keys.decision, isAllowed ? 'allow' : 'forbid');
      annotate(keys.reason, decision.reason);
    }
    if (!isAllowed) throw forbidden(attributes, decision);
    return next(context);
  };
  return (context, next) => {
    const attributes = attributesOf(context.info, context.user, context.request.rawQuery);
    const decision = authorizer.authorize(attributes, context.request);
    return whenFulfilled(decision, proceed, context, attributes, next);
  };
}
