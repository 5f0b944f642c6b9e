export { ConfiguredEncryption, type EncryptionOptions } from './configured-encryption.ts';
export { EncryptedStore, type Encryption } from './encrypted-store.ts';
