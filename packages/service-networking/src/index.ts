export {
  addressRanges,
  DEFAULT_ADDRESS_RANGE,
  DEFAULT_PORT_RANGE,
  defaultServiceRanges,
  type ServiceRanges,
} from './allocate/service-ranges.ts';
export { BadRange, portRange } from './allocate/value-range.ts';
export { replicaKeys } from './endpoints/default-service.ts';
export { serviceNetwork } from './service-network.ts';
export { ServiceReconciler, type ServiceReconcilerOptions } from './service-reconciler.ts';
