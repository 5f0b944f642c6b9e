import { describeLensLaws } from '../testing/lens-laws.ts';
import { localSubjectAccessReviews } from './local-subject-access-review.ts';
import { subjectAccessReviews } from './subject-access-review.ts';

describeLensLaws(localSubjectAccessReviews);
describeLensLaws(subjectAccessReviews);
