import { describeLensLaws } from '../testing/lens-laws.ts';
import { localSubjectAccessReviews, subjectAccessReviews } from './shared/reviews.ts';

describeLensLaws(localSubjectAccessReviews);
describeLensLaws(subjectAccessReviews);
