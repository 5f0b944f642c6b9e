import { describeLensLaws } from '../../testing/lens-laws.ts';
import { leaseCandidates } from './index.ts';

describeLensLaws(leaseCandidates, { runs: 50 });
