import type {
  CompositePodGroupV1alpha3 as CompositePodGroup,
  PodGroupV1beta1 as PodGroup,
} from '@orch/kinds/scheduling';
import { orNone } from '../../table.ts';

export const policyText = ({ spec }: PodGroup | CompositePodGroup): string =>
  spec?.schedulingPolicy?.gang === undefined ? 'Basic' : 'Gang';

export const workloadText = ({ spec }: PodGroup | CompositePodGroup): string =>
  orNone(spec?.workloadRef?.workloadName ?? '');
