import { describeLensLaws } from '../testing/lens-laws.ts';
import { podGroups } from './pod-group/index.ts';
import { workloads } from './workload/index.ts';

describeLensLaws(podGroups, { runs: 30 });
describeLensLaws(workloads, { runs: 30 });
