export {
  checkIdempotent,
  checkNoHotLoop,
  checkOrders,
  checkRestarts,
  type HotLoopOptions,
  type OrdersOptions,
} from './checks/checks.ts';
export type { Step, Subject } from './checks/subject.ts';
export type { EventuallyOptions, Expectation } from './expect/eventually.ts';
export type { HistoryOptions, ObjectWrite } from './expect/history.ts';
export type { QuiescentOptions } from './expect/quiescent.ts';
export type { Fault, FaultRequest, FaultRule, InjectedFault, Moment } from './faults/fault.ts';
export { type ScheduleOptions, scheduleOf } from './faults/schedule.ts';
export { takeLease } from './faults/take-lease.ts';
export { type FaultOptions, type FaultyConfig, faultyConfig, withFaults } from './faults/with-faults.ts';
export type { Manifest } from './manifests/read-manifests.ts';
export type { ControlPlane, ControlPlaneOptions } from './options.ts';
export { startControlPlane } from './start-control-plane.ts';
export type { TestWebhooks } from './webhooks/test-webhooks.ts';
export type {
  Duration,
  PodFailure,
  PodOptions,
  WorkloadController,
  WorkloadOptions,
} from './workloads/workload-options.ts';
