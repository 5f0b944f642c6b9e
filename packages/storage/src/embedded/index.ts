export { type EmbeddedStoreOptions, openEmbeddedStore } from './open.ts';
export { type RepairOptions, type RepairReport, repairStore } from './repair.ts';
