import { describeLensLaws } from '../../testing/lens-laws.ts';
import { policyGroup } from '../group.ts';

for (const type of policyGroup.types) describeLensLaws(type);
