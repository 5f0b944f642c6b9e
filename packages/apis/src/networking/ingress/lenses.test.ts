import { describeLensLaws } from '../../testing/lens-laws.ts';
import { networkingTypes } from '../group.ts';

for (const type of networkingTypes) describeLensLaws(type);
