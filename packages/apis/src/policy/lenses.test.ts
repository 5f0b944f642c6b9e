import { describeLensLaws } from '../testing/lens-laws.ts';
import { policyTypes } from './policy-types.ts';

for (const type of policyTypes) describeLensLaws(type);
