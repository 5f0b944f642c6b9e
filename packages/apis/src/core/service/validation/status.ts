import type { ApiObject, FieldError } from '@orch/machinery';
import { asObject, statusOf } from '../../../read.ts';
import { checkLoadBalancer } from '../../shared/validation/load-balancer.ts';

/** A load balancer accepts traffic at addresses or at names. */
export const validateServiceStatus = (next: ApiObject): readonly FieldError[] =>
  checkLoadBalancer('status.loadBalancer', asObject(statusOf(next)['loadBalancer']));
