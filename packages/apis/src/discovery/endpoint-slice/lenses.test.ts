import { describeLensLaws } from '../../testing/lens-laws.ts';
import { discoveryTypes } from './index.ts';

for (const type of discoveryTypes) describeLensLaws(type);
