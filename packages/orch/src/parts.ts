export { runControllers } from './controllers-part.ts';
export { orchFlags } from './orch-flags.ts';
