import { describeLensLaws } from '../../testing/lens-laws.ts';
import { discoveryTypes } from '../group.ts';

for (const type of discoveryTypes) describeLensLaws(type);
