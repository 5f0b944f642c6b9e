import { defineResource, strategyOf } from '../../define-resource.ts';
import type { KindVersion, ResourceType, Strategy } from '../../resource-type.ts';
import { SubjectAccessReviewStatus, subjectAccessReviewSpecOf } from './access-review.ts';

export const SubjectAccessReviewSpec = subjectAccessReviewSpecOf('v1', 'groups');

export const aboutAnybody = { spec: SubjectAccessReviewSpec, status: SubjectAccessReviewStatus };

export const older = { version: 'v1beta1', introduced: '1.2', deprecated: '1.19', removed: '1.22' } as const;

export const review = (
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
