export { backupFlags, migrateFlags, restoreFlags } from './backup/index.ts';
export { initFlags } from './init/index.ts';
export { repairFlags } from './repair-flags.ts';
