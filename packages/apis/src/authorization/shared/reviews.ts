import { errors } from '@orch/machinery';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { asText, specOf } from '../../read.ts';
import type { KindVersion, ResourceType, Strategy } from '../../resource-type.ts';
import {
  reviewOf,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
  subjectAccessReviewSpecOf,
} from './access-review.ts';
import { SelfSubjectRulesReviewSpec, SubjectRulesReviewStatus } from './rules-review-schema.ts';
import { groupsLens, localSubjectAccessReviewV1Beta1, subjectAccessReviewV1Beta1 } from './v1beta1.ts';
import { validateLocalReview, validateReview, validateSelfReview } from './validation.ts';

export const SubjectAccessReviewSpec = subjectAccessReviewSpecOf('v1', 'groups');

const aboutAnybody = { spec: SubjectAccessReviewSpec, status: SubjectAccessReviewStatus };

export const SubjectAccessReview = reviewOf(
  'v1.SubjectAccessReview',
  'Asks whether a user may do something. Answered at once, and never stored.',
  aboutAnybody,
);

export const LocalSubjectAccessReview = reviewOf(
  'v1.LocalSubjectAccessReview',
  'Asks whether a user may do something in one namespace. Answered at once, and never stored.',
  aboutAnybody,
);

export const SelfSubjectAccessReview = reviewOf(
  'v1.SelfSubjectAccessReview',
  'Asks whether the user who asks may do something. Answered at once, and never stored.',
  { spec: SelfSubjectAccessReviewSpec, status: SubjectAccessReviewStatus },
);

export const SelfSubjectRulesReview = reviewOf(
  'v1.SelfSubjectRulesReview',
  'Asks what the user who asks may do in a namespace. Answered at once, and never stored; to decide on a request ask about it.',
  { spec: SelfSubjectRulesReviewSpec, status: SubjectRulesReviewStatus },
);

const older = { version: 'v1beta1', introduced: '1.2', deprecated: '1.19', removed: '1.22' } as const;

const review = (
  kind: string,
  versions: readonly KindVersion[],
  rules: Pick<Strategy, 'validate' | 'prepareForCreate'>,
): ResourceType =>
  defineResource({
    group: 'authorization',
    resource: `${kind.toLowerCase()}s`,
    kind,
    namespaced: kind === 'LocalSubjectAccessReview',
    verbs: ['create'],
    virtual: true,
    versions,
    strategy: strategyOf({ resetStatus: true, ...rules }),
  });

export const localSubjectAccessReviews = review(
  'LocalSubjectAccessReview',
  [
    { version: 'v1', introduced: '1.6', schema: LocalSubjectAccessReview },
    { ...older, schema: localSubjectAccessReviewV1Beta1, lens: groupsLens },
  ],
  { validate: validateLocalReview },
);

export const selfSubjectAccessReviews = review(
  'SelfSubjectAccessReview',
  [
    { version: 'v1', introduced: '1.6', schema: SelfSubjectAccessReview },
    { ...older, schema: SelfSubjectAccessReview },
  ],
  { validate: validateSelfReview },
);

export const selfSubjectRulesReviews = review(
  'SelfSubjectRulesReview',
  [
    { version: 'v1', introduced: '1.6', schema: SelfSubjectRulesReview },
    { ...older, introduced: '1.8', schema: SelfSubjectRulesReview },
  ],
  {
    prepareForCreate(next) {
      if (asText(specOf(next)['namespace']) === '') throw errors.badRequest('no namespace on request');
    },
  },
);

export const subjectAccessReviews = review(
  'SubjectAccessReview',
  [
    { version: 'v1', introduced: '1.6', schema: SubjectAccessReview },
    { ...older, schema: subjectAccessReviewV1Beta1, lens: groupsLens },
  ],
  { validate: validateReview },
);
