import { apiServerFlags, withDefault } from '@orch/apiserver';

/** Flags of `orch`: those of the API server, with defaults for one machine and one folder. */
export const orchFlags = {
  ...apiServerFlags,
  bindAddress: withDefault(apiServerFlags.bindAddress, '127.0.0.1'),
  certDir: withDefault(apiServerFlags.certDir, '.orch/certs'),
  adminConfig: withDefault(apiServerFlags.adminConfig, '.orch/admin.conf'),
} as const;
