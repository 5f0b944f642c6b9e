import { type Attributes, type Authorizer, listedBy, type UserInfo } from '@orch/auth';
import type {
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectAccessReviewSpec,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from '@orch/kinds/authorization';
import { type ApiObject, errors } from '@orch/machinery';
import type { ResourceContext } from '@orch/request';
import type { ReviewHandler } from '../review-resource.ts';

/** SubjectAccessReview: whether a given user may perform an operation (access-control document, 2.7). */
export const subjectAccessReview =
  (authorizer: Authorizer): ReviewHandler =>
  (review, call) => {
    const { spec = {} }: SubjectAccessReview = review;
    return answered(authorizer, review, attributesOf(spec, userOf(spec)), call);
  };

/** LocalSubjectAccessReview: the same within one namespace. */
export const localSubjectAccessReview =
  (authorizer: Authorizer): ReviewHandler =>
  (review, call) => {
    const { spec = {} }: SubjectAccessReview = review;
    const attributes = attributesOf(spec, userOf(spec));
    const { namespace } = call.info;
    if (!attributes.isResource || attributes.namespace !== namespace) {
      throw errors.badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
    }
    return answered(authorizer, review, attributes, call);
  };

/** SelfSubjectAccessReview: whether the client may perform an operation. */
export const selfSubjectAccessReview =
  (authorizer: Authorizer): ReviewHandler =>
  (review, call) => {
    const { spec = {} }: SelfSubjectAccessReview = review;
    return answered(authorizer, review, attributesOf(spec, call.user), call);
  };

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
): Promise<SubjectAccessReviewStatus> {
  try {
    const { verdict, reason } = await authorizer.authorize(attributes, request);
    return { allowed: verdict === 'allow', denied: verdict === 'deny', reason };
  } catch (error) {
    request.signal.throwIfAborted();
    return { allowed: false, evaluationError: error instanceof Error ? error.message : String(error) };
  }
}

function attributesOf(
  { resourceAttributes, nonResourceAttributes }: SelfSubjectAccessReviewSpec,
  user: UserInfo,
): Attributes {
  if (resourceAttributes !== undefined) return resourceOperation(resourceAttributes, user);
  if (nonResourceAttributes !== undefined) return pathOperation(nonResourceAttributes, user);
  throw errors.badRequest('the review has neither resourceAttributes nor nonResourceAttributes');
}

const resourceOperation = (
  {
    verb = '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  }: ResourceAttributes,
  user: UserInfo,
): Attributes => ({ user, isResource: true, verb, group, version, resource, subresource, namespace, name });

const pathOperation = ({ verb = '', path = '' }: NonResourceAttributes, user: UserInfo): Attributes => ({
  user,
  isResource: false,
  verb,
  path,
});

const userOf = ({ user = '', uid = '', groups = [], extra = {} }: SubjectAccessReviewSpec): UserInfo => ({
  name: user,
  uid,
  groups,
  extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, values ?? []])),
});

/**
 * SelfSubjectRulesReview: the permissions of the client in a namespace. The list may be incomplete, because some
 * authorizers cannot list permissions.
 */
export const selfSubjectRulesReview =
  (authorizer: Authorizer): ReviewHandler =>
  (review, { user }) => {
    const { spec: { namespace = '' } = {} }: SelfSubjectRulesReview = review;
    if (namespace === '') throw errors.badRequest('no namespace on request');
    const { resourceRules, pathRules, incomplete } = listedBy(authorizer, user, namespace);
    return {
      ...review,
      // The reply does not repeat the spec.
      spec: {},
      status: {
        resourceRules: resourceRules.map(({ resourceNames, ...rule }) => ({
          ...rule,
          ...(resourceNames.length === 0 ? {} : { resourceNames }),
        })),
        nonResourceRules: pathRules,
        incomplete: incomplete.length > 0,
        ...(incomplete.length === 0 ? {} : { evaluationError: incomplete.slice(0, MAX_REASONS).join(', ') }),
      },
    };
  };

/** Maximum number of reported reasons for an incomplete list. */
const MAX_REASONS = 10;
