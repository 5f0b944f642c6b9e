export { BackupError, type BackupErrorCode } from './backup-error.ts';
export { type OpenedBackup, openBackup, verifyBackup } from './decode-backup.ts';
export { type BackupOrigin, type EncodeOptions, encodeBackup } from './encode-backup.ts';
export type { Entry } from './format/entry.ts';
export type { BackupHeader } from './format/header.ts';
export type { BackupSummary } from './format/summary.ts';
export { type BackupSecret, type DerivedKey, KEY_BYTES, newBackupKey } from './keys/backup-key.ts';
export { type AbandonOptions, abandonMigration } from './migrate/abandon-migration.ts';
export type { MigratedStores } from './migrate/claim-target.ts';
export {
  type MigrateOptions,
  type MigrationReport,
  migrateStore,
} from './migrate/migrate-store.ts';
export type { MigrationProgress } from './migrate/progress.ts';
export type { RestoreCounts } from './restore/make-equal.ts';
export { type RestoreOptions, type RestoreReport, restoreBackup } from './restore/restore-backup.ts';
export { type StoreContent, storeContent } from './store-content.ts';
