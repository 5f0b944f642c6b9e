import { describeLensLaws } from '../testing/lens-laws.ts';
import { resourceClaims } from './resource-claim/index.ts';
import { resourceClaimTemplates } from './resource-claim-template/index.ts';
import { resourceSlices } from './resource-slice/index.ts';

describeLensLaws(resourceClaims, { runs: 50 });
describeLensLaws(resourceClaimTemplates, { runs: 50 });
describeLensLaws(resourceSlices, { runs: 50 });
