export { backupFlags, migrateFlags, restoreFlags, verifyFlags } from './backup/index.ts';
export { initFlags } from './init/index.ts';
export { orchFlags } from './orch-flags.ts';
export { repairFlags } from './repair-flags.ts';
export { type Part, runTogether } from './run-together.ts';
