import type { ObjectSource } from '@orch/auth';
import type { Metrics } from '@orch/machinery';
import type { ExpressionParts } from '../expressions/index.ts';
import type { ParamAccessParts } from './param-access.ts';
import type { ParamParts } from './param-objects.ts';

/** Dependencies of the plugins that evaluate policies. */
export interface PolicyParts extends ExpressionParts, ParamParts, Pick<ParamAccessParts, 'resourcesOf'> {
  readonly source: ObjectSource;
  readonly metrics: Metrics;
}
