export type { ControlPlane, ControlPlaneOptions } from './options.ts';
export { startControlPlane } from './start-control-plane.ts';
