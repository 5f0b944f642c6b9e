import { describeLensLaws } from '../../testing/lens-laws.ts';
import { discoveryGroup } from '../group.ts';

for (const type of discoveryGroup.types) describeLensLaws(type);
