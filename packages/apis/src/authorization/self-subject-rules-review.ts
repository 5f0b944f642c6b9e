import type * as authorization from '@orch/kinds/authorization';
import { errors } from '@orch/machinery';
import { f, items, struct } from '@orch/schema';
import { reviewOf } from './shared/access-review.ts';
import { older, review } from './shared/reviews.ts';

export const SelfSubjectRulesReviewSpec = struct(
  'authorization.v1.SelfSubjectRulesReviewSpec',
  'Namespace of the review.',
  {
    namespace: f.string(1, { doc: 'The namespace.' }),
  },
);

export const ResourceRule = struct('authorization.v1.ResourceRule', 'Actions on resources.', {
  verbs: f.list(1, items.string, { doc: 'Allowed verbs; `*` is every verb.', presence: 'always' }),
  apiGroups: f.list(2, items.string, { doc: 'Groups of the resources; `*` is every group.' }),
  resources: f.list(3, items.string, {
    doc: 'Resources; `*` is every resource, `*/scale` the scale of everything.',
  }),
  resourceNames: f.list(4, items.string, { doc: 'Names of the objects; all when empty.' }),
});

export const NonResourceRule = struct(
  'authorization.v1.NonResourceRule',
  'Actions on paths that are not resources.',
  {
    verbs: f.list(1, items.string, { doc: 'Allowed verbs; `*` is every verb.', presence: 'always' }),
    nonResourceURLs: f.list(2, items.string, { doc: 'Paths; a final `*` stands for any rest.' }),
  },
);

export const SubjectRulesReviewStatus = struct(
  'authorization.v1.SubjectRulesReviewStatus',
  'Actions that a user may perform.',
  {
    resourceRules: f.list(1, ResourceRule, {
      doc: 'Actions on resources, in no particular order, possibly with duplicates.',
      presence: 'always',
    }),
    nonResourceRules: f.list(2, NonResourceRule, {
      doc: 'Actions on other paths.',
      presence: 'always',
    }),
    incomplete: f.bool(3, {
      doc: 'Whether an authorizer cannot list its rules, so that the list is incomplete.',
      presence: 'always',
    }),
    evaluationError: f.string(4, { doc: 'Errors of the evaluation.' }),
  },
);

export const SelfSubjectRulesReview = reviewOf(
  'v1.SelfSubjectRulesReview',
  'Lists the actions that the requesting user may perform in a namespace. Never stored; to authorize one request, use an access review.',
  { spec: SelfSubjectRulesReviewSpec, status: SubjectRulesReviewStatus },
);

export const selfSubjectRulesReviews = review(
  'SelfSubjectRulesReview',
  [
    { version: 'v1', introduced: '1.6', schema: SelfSubjectRulesReview },
    { ...older, introduced: '1.8', schema: SelfSubjectRulesReview },
  ],
  {
    prepareForCreate({ spec }: authorization.SelfSubjectRulesReview) {
      if ((spec?.namespace ?? '') === '') throw errors.badRequest('no namespace on request');
    },
  },
);
