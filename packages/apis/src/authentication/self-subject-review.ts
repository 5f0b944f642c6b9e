import type * as authentication from '@orch/kinds/authentication';
import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { ResourceType } from '../resource-type.ts';
import { UserInfo } from './shared/user-info.ts';

const SelfSubjectReviewStatus = struct('authentication.v1.SelfSubjectReviewStatus', 'The requesting user.', {
  userInfo: f.struct(1, UserInfo, {
    shared: true,
    doc: 'Attributes of the requesting user, after impersonation.',
    presence: 'always',
  }),
});

export const SelfSubjectReview = struct(
  'authentication.v1.SelfSubjectReview',
  'Returns the attributes of the requesting user, as authenticated by the server. Never stored.',
  {
    metadata: metadataField,
    status: f.struct(2, SelfSubjectReviewStatus, { doc: 'Result of the review.', presence: 'always' }),
  },
  { typeMeta: true },
);

export const selfSubjectReviews: ResourceType = defineResource({
  group: 'authentication',
  resource: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  namespaced: false,
  verbs: ['create'],
  virtual: true,
  versions: [
    { version: 'v1', schema: SelfSubjectReview, introduced: '1.28' },
    {
      version: 'v1beta1',
      schema: SelfSubjectReview,
      introduced: '1.27',
      deprecated: '1.30',
      removed: '1.33',
      servedByDefault: false,
      replacement: 'none',
    },
    {
      version: 'v1alpha1',
      schema: SelfSubjectReview,
      introduced: '1.26',
      deprecated: '1.29',
      removed: '1.32',
      replacement: 'none',
    },
  ],
  strategy: strategyOf<authentication.SelfSubjectReview>({
    resetStatus: true,
    prepareForCreate(next, { user, now }) {
      const { name, uid = '', groups, extra = {} } = user;
      next.metadata = { creationTimestamp: now };
      next.status = { userInfo: { username: name, uid, groups: [...groups], extra: { ...extra } } };
    },
  }),
});
