export type { KeyPair } from '@orch/pki/x509';
export type { LocalHealth } from '@orch/registry';
export { type Announce, apiServerProgram, type ServerProcess } from './api-server-program.ts';
export { clientConfigText } from './certificates/client-config-text.ts';
export { withFileLock } from './certificates/file-lock.ts';
export { apiServerFlags } from './flags/api-server-flags.ts';
export { LoopbackListener } from './loopback/loopback-listener.ts';
export type { LoopbackRequest, LoopbackResponse, LoopbackTransport } from './loopback/loopback-transport.ts';
export type { OwnSecrets } from './own-secrets.ts';
export { addressesText, announce, embeddedWorkerUrl, threadUrl, yamlThreadUrl } from './program-host.ts';
export { runApiServer } from './run-api-server.ts';
export { type Settings, settingsOf } from './settings/settings.ts';
export {
  type StoreSettings,
  type StoresSettings,
  settingsOfOverride,
  storesSettingsOf,
} from './settings/store-settings.ts';
export type { ApiServerHost, RunningApiServer } from './start/start-context.ts';
export { BACKUP_PATH } from './storage/backup-route.ts';
export { MIGRATION_PATH, type MigrationLine, type NothingMoved } from './storage/migration-route.ts';
export { openAllStores, type PlacedStore } from './storage/open-all-stores.ts';
export { backendNameOf, openRawStore, openStore, settingsOfNaming } from './storage/open-store.ts';
export { foreignRanges } from './storage/placement.ts';
export { repairData } from './storage/repair-data.ts';
export { partialStores } from './storage/server-stores.ts';
export { automaticThreads } from './threads/automatic-threads.ts';
