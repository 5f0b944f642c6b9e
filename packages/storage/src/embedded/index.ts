export { type EmbeddedStoreOptions, openEmbeddedStore } from './open.ts';
