export { connectionSettings, type Environment } from './connection/connection.ts';
export { type ControllerFlags, controllerFlags, type ManagerFlags, managerFlags } from './flags/index.ts';
export { ControllerStates } from './running/controller-states.ts';
export { ElectionState } from './running/election-state.ts';
export { type ManagerParts, runManager } from './running/run-manager.ts';
export {
  type ControllerSettings,
  controllerSettings,
  type Fallbacks,
  readFeatureGates,
} from './settings/controller-settings.ts';
export { defaultElection, type ElectionSettings } from './settings/election-settings.ts';
export { currentContent, fixedContent } from './settings/key-files.ts';
