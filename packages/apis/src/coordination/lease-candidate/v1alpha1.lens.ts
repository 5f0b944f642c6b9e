import { type Lens, lossless, within } from '@orch/schema';
import { LeaseCandidate, LeaseCandidateV1Alpha1 } from './schemas.ts';

/** Later versions have the most preferred strategy only. */
const strategies: Lens = {
  toHub(spec) {
    const { preferredStrategies } = spec;
    delete spec['preferredStrategies'];
    const strategy = Array.isArray(preferredStrategies) ? preferredStrategies[0] : undefined;
    if (typeof strategy === 'string' && strategy !== '') spec['strategy'] = strategy;
  },
  fromHub(spec) {
    const { strategy } = spec;
    delete spec['strategy'];
    if (typeof strategy === 'string' && strategy !== '') spec['preferredStrategies'] = [strategy];
  },
};

export const leaseCandidateLens = lossless(within('spec', strategies), {
  hub: LeaseCandidate,
  older: LeaseCandidateV1Alpha1,
});
