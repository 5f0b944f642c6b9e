import { type Attributes, type Authorizer, listedBy, type UserInfo } from '@orch/auth';
import {
  type ApiObject,
  asObject,
  asStrings,
  asText,
  errors,
  isJsonObject,
  type JsonObject,
} from '@orch/machinery';
import type { ResourceContext } from '@orch/request';
import type { ReviewHandler } from '../review-resource.ts';

/** May this user do that? About any user (access-control document, 2.7). */
export const subjectAccessReview =
  (authorizer: Authorizer): ReviewHandler =>
  (review, call) => {
    const spec = asObject(review['spec']);
    return answered(authorizer, review, attributesOf(spec, userOf(spec)), call);
  };

/** The same within one namespace. */
export const localSubjectAccessReview =
  (authorizer: Authorizer): ReviewHandler =>
  (review, call) => {
    const spec = asObject(review['spec']);
    const attributes = attributesOf(spec, userOf(spec));
    const { namespace } = call.info;
    if (!attributes.isResource || attributes.namespace !== namespace) {
      throw errors.badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
    }
    return answered(authorizer, review, attributes, call);
  };

/** May I do that? */
export const selfSubjectAccessReview =
  (authorizer: Authorizer): ReviewHandler =>
  (review, call) =>
    answered(authorizer, review, attributesOf(asObject(review['spec']), call.user), call);

async function answered(
  authorizer: Authorizer,
  review: ApiObject,
  attributes: Attributes,
  { request }: ResourceContext,
): Promise<ApiObject> {
  return { ...review, status: await statusOf(authorizer, attributes, request) };
}

async function statusOf(
  authorizer: Authorizer,
  attributes: Attributes,
  request: ResourceContext['request'],
): Promise<JsonObject> {
  try {
    const { verdict, reason } = await authorizer.authorize(attributes, request);
    return { allowed: verdict === 'allow', denied: verdict === 'deny', reason };
  } catch (error) {
    request.signal.throwIfAborted();
    return { allowed: false, evaluationError: error instanceof Error ? error.message : String(error) };
  }
}

function attributesOf(spec: JsonObject, user: UserInfo): Attributes {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (isJsonObject(resourceAttributes)) {
    const { verb, group, version, resource, subresource, namespace, name } = resourceAttributes;
    return {
      user,
      isResource: true,
      verb: asText(verb),
      group: asText(group),
      version: asText(version),
      resource: asText(resource),
      subresource: asText(subresource),
      namespace: asText(namespace),
      name: asText(name),
    };
  }
  if (!isJsonObject(nonResourceAttributes)) throw errors.badRequest('the review asks for nothing');
  const { verb, path } = nonResourceAttributes;
  return { user, isResource: false, verb: asText(verb), path: asText(path) };
}

const userOf = ({ user, uid, groups, extra }: JsonObject): UserInfo => ({
  name: asText(user),
  uid: asText(uid),
  groups: asStrings(groups),
  extra: Object.fromEntries(Object.entries(asObject(extra)).map(([key, values]) => [key, asStrings(values)])),
});

/**
 * What may I do in a namespace? A list for people and clients: decisions are made by the authorizers, some of which list
 * nothing, so that there may be more.
 */
export const selfSubjectRulesReview =
  (authorizer: Authorizer): ReviewHandler =>
  (review, { user }) => {
    const namespace = asText(asObject(review['spec'])['namespace']);
    if (namespace === '') throw errors.badRequest('no namespace on request');
    const { resourceRules, pathRules, incomplete } = listedBy(authorizer, user, namespace);
    return {
      ...review,
      // The answer does not repeat the question, as clients know it.
      spec: {},
      status: {
        resourceRules: resourceRules.map(({ resourceNames, ...rule }) => ({
          ...rule,
          ...(resourceNames.length === 0 ? {} : { resourceNames }),
        })),
        nonResourceRules: pathRules,
        incomplete: incomplete.length > 0,
        ...(incomplete.length === 0 ? {} : { evaluationError: incomplete.slice(0, MAX_TOLD).join(', ') }),
      },
    };
  };

/** Reasons for a list that is not complete. */
const MAX_TOLD = 10;
