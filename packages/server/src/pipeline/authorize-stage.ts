import type { Attributes, Authorizer, Decision } from '@orch/auth';
import { type ApiError, errors, type Names } from '@orch/machinery';
import { attributesOf } from './attributes.ts';
import type { Identified } from './contexts.ts';
import type { Answer, Handler, Stage } from './types.ts';

/** Asks whether the user may do what the request wants; a refusal is answered with 403. */
export function authorize(
  authorizer: Authorizer,
  { auditAnnotations: keys }: Pick<Names, 'auditAnnotations'>,
): Stage<Identified> {
  const proceed = (
    context: Identified,
    attributes: Attributes,
    decision: Decision,
    next: Handler<Identified>,
  ): Answer => {
    const isAllowed = decision.verdict === 'allow';
    const { annotate } = context.trace;
    if (annotate !== undefined) {
      annotate(keys.decision, isAllowed ? 'allow' : 'forbid');
      annotate(keys.reason, decision.reason);
    }
    if (!isAllowed) throw refusal(attributes, decision);
    return next(context);
  };
  return (context, next) => {
    const attributes = attributesOf(context.info, context.user, context.request.rawQuery);
    const decision = authorizer.authorize(attributes, context.request);
    return decision instanceof Promise
      ? decision.then((settled) => proceed(context, attributes, settled, next))
      : proceed(context, attributes, decision, next);
  };
}

/** The sentence that people read when they lack a permission: who, what, where, and why if there is more to say. */
export function refusal(attributes: Attributes, decision: Decision): ApiError {
  const who = `User ${JSON.stringify(attributes.user.name)} cannot ${attributes.verb}`;
  const why = decision.reason === '' ? '' : `: ${decision.reason}`;
  if (!attributes.isResource)
    return errors.forbiddenPath(`${who} path ${JSON.stringify(attributes.path)}${why}`);
  const { resource, subresource, group, namespace, name } = attributes;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return errors.forbidden(
    { group, kind: resource, name },
    `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}${why}`,
  );
}
