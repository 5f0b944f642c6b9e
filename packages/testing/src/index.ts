export type { EventuallyOptions, Expectation } from './expect/eventually.ts';
export type { HistoryOptions, ObjectWrite } from './expect/history.ts';
export type { QuiescentOptions } from './expect/quiescent.ts';
export type { ControlPlane, ControlPlaneOptions } from './options.ts';
export { startControlPlane } from './start-control-plane.ts';
