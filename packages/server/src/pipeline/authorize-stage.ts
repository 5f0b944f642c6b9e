import type { Attributes, Authorizer, Decision } from '@orch/auth';
import { type ApiError, errors } from '@orch/machinery';
import type { Identified } from './contexts.ts';
import type { RequestInfo, Stage, UserInfo } from './types.ts';

/** Asks whether the user may do what the request wants; a refusal is answered with 403. */
export function authorize(authorizer: Authorizer): Stage<Identified> {
  return (context, next) => {
    const attributes = attributesOf(context.info, context.user);
    const decision = authorizer.authorize(attributes, context.request);
    if (decision instanceof Promise) {
      return decision.then((settled) => {
        if (settled.verdict !== 'allow') throw refusal(attributes, settled);
        return next(context);
      });
    }
    if (decision.verdict !== 'allow') throw refusal(attributes, decision);
    return next(context);
  };
}

function attributesOf(info: RequestInfo, user: UserInfo): Attributes {
  if (!info.isResource) return { user, isResource: false, verb: info.verb, path: info.path };
  const { verb, group, version, resource, subresource, namespace, name } = info;
  return {
    user,
    isResource: true,
    verb: verb === 'apply' ? 'patch' : verb,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  };
}

/** The sentence that people read when they lack a permission: who, what, where, and why if there is more to say. */
function refusal(attributes: Attributes, decision: Decision): ApiError {
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
