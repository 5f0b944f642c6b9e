export { type CertificateContent, issueCertificate, type KeyPair } from '@orch/machinery/x509';
export type { LocalHealth } from '@orch/server';
export { announce } from './announce.ts';
export { type ApiServerFlags, apiServerFlags } from './api-server-flags.ts';
export { type LocalAccess, type LocalAnswer, type LocalCall, LocalDoor } from './local/local-access.ts';
export type { OwnSecrets } from './own-secrets.ts';
export { type ApiServerHost, type RunningApiServer, runApiServer } from './run-api-server.ts';
export { type Settings, settingsOf } from './settings.ts';
export { embeddedWorkerUrl } from './worker-url.ts';
