import { describeLensLaws } from '../../testing/lens-laws.ts';
import { policyTypes } from '../group.ts';

for (const type of policyTypes) describeLensLaws(type);
