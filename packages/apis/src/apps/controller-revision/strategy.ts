import { fieldError } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';

export const controllerRevisionStrategy: Strategy = strategyOf({
  validate: ({ data }) => ((data ?? undefined) === undefined ? [fieldError.required('data')] : []),
});
