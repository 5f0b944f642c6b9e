import { describeLensLaws } from '../testing/lens-laws.ts';
import { discoveryTypes } from './discovery-types.ts';

for (const type of discoveryTypes) describeLensLaws(type);
