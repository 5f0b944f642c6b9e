export { type ControllerFlags, controllerFlags } from './controller-flags.ts';
export { type ManagerFlags, managerFlags } from './manager-flags.ts';
