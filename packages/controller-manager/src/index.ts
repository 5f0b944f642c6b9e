export { connectionSettings, type Environment } from './connection/connection.ts';
export { managerFlags } from './flags/index.ts';
export { ControllerStates } from './running/controller-states.ts';
export { ElectionState } from './running/election-state.ts';
export { Pauses } from './running/pauses.ts';
export { runManager } from './running/run-manager.ts';
export {
  type ControllerSettings,
  controllerSettings,
  readFeatureGates,
} from './settings/controller-settings.ts';
export { defaultElection } from './settings/election-settings.ts';
export { currentContent, fixedContent } from './settings/key-files.ts';
