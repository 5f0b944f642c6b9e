export { BackupError } from './backup-error.ts';
export { openBackup, verifyBackup } from './decode-backup.ts';
export { encodeBackup } from './encode-backup.ts';
export { compressionProblem } from './format/frame.ts';
export type { BackupHeader } from './format/header.ts';
export type { BackupSummary } from './format/summary.ts';
export { type BackupSecret, KEY_BYTES, newBackupKey } from './keys/backup-key.ts';
export { abandonMigration } from './migrate/abandon-migration.ts';
export { type MigrationReport, migrateStore } from './migrate/migrate-store.ts';
export type { MigrationProgress } from './migrate/progress.ts';
export {
  beginRestores,
  type RestoreOptions,
  type RestoreReport,
  restoreBackup,
} from './restore/restore-backup.ts';
export type { StoreContent } from './store-content.ts';
export { type IdleStore, type MovedKeys, type MoveOptions, moveObjects } from './stores/move-objects.ts';
export { type Placements, placementsOf, readPlacements, writePlacements } from './stores/placement-record.ts';
export { contentOfStores, type PartialStore } from './stores/stores-content.ts';
