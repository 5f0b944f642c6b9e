import type { Attributes, Decision } from '@orch/auth';
import { type ApiError, errors } from '@orch/machinery';

/** The 403 for a missing permission: user, verb, resource, scope, and the authorizer's reason if it gives one. */
export function forbidden(attributes: Attributes, decision: Decision): ApiError {
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
