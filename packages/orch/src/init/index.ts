export { initFlags } from './init-flags.ts';
export { runInit } from './run-init.ts';
