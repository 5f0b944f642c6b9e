import { describeLensLaws } from '../testing/lens-laws.ts';
import { localSubjectAccessReviews, subjectAccessReviews } from './v1/access-reviews.ts';

describeLensLaws(localSubjectAccessReviews);
describeLensLaws(subjectAccessReviews);
