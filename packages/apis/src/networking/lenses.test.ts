import { describeLensLaws } from '../testing/lens-laws.ts';
import { networkingTypes } from './networking-types.ts';

for (const type of networkingTypes) describeLensLaws(type);
