export { backupFlags, migrateFlags, restoreFlags, verifyFlags } from './backup-flags.ts';
export type { BackupHost } from './host.ts';
export { runBackup } from './run-backup.ts';
export { runMigrate } from './run-migrate.ts';
export { runRestore } from './run-restore.ts';
export { runVerify } from './run-verify.ts';
