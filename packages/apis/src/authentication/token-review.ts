import type * as authentication from '@orch/kinds/authentication';
import { errors } from '@orch/machinery';
import { f, items, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { ResourceType } from '../resource-type.ts';
import { UserInfo } from './shared/user-info.ts';

export const TokenReviewSpec = struct('authentication.v1.TokenReviewSpec', 'The token to authenticate.', {
  token: f.string(1, {
    doc: 'The token, as in the Authorization header.',
    openapiRequired: { since: '1.36', is: true },
  }),
  audiences: f.list(2, items.string, {
    doc: 'Audiences of the requester: the token must be intended for one of them. This server when empty.',
  }),
});

export const TokenReviewStatus = struct(
  'authentication.v1.TokenReviewStatus',
  'Result of the authentication of a token.',
  {
    authenticated: f.bool(1, { doc: 'Whether the token is valid.' }),
    user: f.struct(2, UserInfo, { doc: 'User of the token.', presence: 'always' }),
    audiences: f.list(4, items.string, {
      doc: 'The requested audiences that the token is intended for.',
    }),
    error: f.string(3, { doc: 'Why the token could not be checked.' }),
  },
);

export const TokenReview = struct(
  'authentication.v1.TokenReview',
  'Authenticates a token. Never stored.',
  {
    metadata: metadataField,
    spec: f.struct(2, TokenReviewSpec, {
      doc: 'Request of the review.',
      presence: 'always',
      openapiRequired: true,
    }),
    status: f.struct(3, TokenReviewStatus, { doc: 'Result of the review.', presence: 'always' }),
  },
  { typeMeta: true, holdsCredentials: true },
);

export const tokenReviews: ResourceType = defineResource({
  group: 'authentication',
  resource: 'tokenreviews',
  kind: 'TokenReview',
  namespaced: false,
  verbs: ['create'],
  virtual: true,
  versions: [
    { version: 'v1', schema: TokenReview, introduced: '1.6' },
    { version: 'v1beta1', schema: TokenReview, introduced: '1.4', deprecated: '1.19', removed: '1.22' },
  ],
  strategy: strategyOf<authentication.TokenReview>({
    resetStatus: true,
    prepareForCreate(next) {
      if ((next.metadata.namespace ?? '') !== '')
        throw errors.malformedRequest('namespace is not allowed on this type');
      if ((next.spec?.token ?? '') === '')
        throw errors.malformedRequest('token is required for TokenReview in authentication');
    },
  }),
});
