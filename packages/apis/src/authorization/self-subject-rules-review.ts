import { errors } from '@orch/machinery';
import { f, items, struct } from '@orch/schema';
import type * as authorization from '../types/authorization.ts';
import { reviewOf } from './shared/access-review.ts';
import { older, review } from './shared/reviews.ts';

export const SelfSubjectRulesReviewSpec = struct(
  'authorization.v1.SelfSubjectRulesReviewSpec',
  'Where the user wants to know.',
  {
    namespace: f.string(1, { doc: 'The namespace.' }),
  },
);

export const ResourceRule = struct(
  'authorization.v1.ResourceRule',
  'What may be done with which resources.',
  {
    verbs: f.list(1, items.string, { doc: 'What may be done; `*` is everything.', presence: 'always' }),
    apiGroups: f.list(2, items.string, { doc: 'Groups of the resources; `*` is every group.' }),
    resources: f.list(3, items.string, {
      doc: 'Resources; `*` is every resource, `*/scale` the scale of everything.',
    }),
    resourceNames: f.list(4, items.string, { doc: 'Names of the objects; all when empty.' }),
  },
);

export const NonResourceRule = struct(
  'authorization.v1.NonResourceRule',
  'What may be done with which paths that are no resources.',
  {
    verbs: f.list(1, items.string, { doc: 'What may be done; `*` is everything.', presence: 'always' }),
    nonResourceURLs: f.list(2, items.string, { doc: 'Paths; a final `*` stands for any rest.' }),
  },
);

export const SubjectRulesReviewStatus = struct(
  'authorization.v1.SubjectRulesReviewStatus',
  'What a user may do.',
  {
    resourceRules: f.list(1, ResourceRule, {
      doc: 'What may be done with resources, in no particular order, perhaps with duplicates.',
      presence: 'always',
    }),
    nonResourceRules: f.list(2, NonResourceRule, {
      doc: 'What may be done with other paths.',
      presence: 'always',
    }),
    incomplete: f.bool(3, {
      doc: 'Whether somebody who decides on requests cannot say what is allowed, so that there may be more.',
      presence: 'always',
    }),
    evaluationError: f.string(4, { doc: 'What went wrong on the way to the answer.' }),
  },
);

export const SelfSubjectRulesReview = reviewOf(
  'v1.SelfSubjectRulesReview',
  'Asks what the user who asks may do in a namespace. Answered at once, and never stored; to decide on a request ask about it.',
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
