export type { EtcdCredentials } from './client/etcd-client.ts';
export { type EtcdDeadlines, type EtcdStoreOptions, openEtcdStore } from './etcd-store.ts';
export type { TlsOptions } from './rpc/dial.ts';
