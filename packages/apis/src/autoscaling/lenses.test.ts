import { describeLensLaws } from '../testing/lens-laws.ts';
import { horizontalPodAutoscalers } from './autoscaling-types.ts';

describeLensLaws(horizontalPodAutoscalers);
