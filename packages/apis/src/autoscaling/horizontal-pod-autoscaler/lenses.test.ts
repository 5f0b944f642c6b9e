import { describeLensLaws } from '../../testing/lens-laws.ts';
import { horizontalPodAutoscalers } from './index.ts';

describeLensLaws(horizontalPodAutoscalers);
