import { describeLensLaws } from '../../testing/lens-laws.ts';
import { networkingGroup } from '../group.ts';

for (const type of networkingGroup.types) describeLensLaws(type);
