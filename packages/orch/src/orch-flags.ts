import { apiServerFlags } from '@orch/apiserver';
import { controllerFlags } from '@orch/controller-manager/flags';
import { withDefault } from '@orch/program';

/** Flags of `orch`: those of the API server and of controllers, with defaults for one machine and one folder. */
export const orchFlags = {
  ...apiServerFlags,
  bindAddress: withDefault(apiServerFlags.bindAddress, '127.0.0.1'),
  certDir: withDefault(apiServerFlags.certDir, '.orch/certs'),
  adminConfig: withDefault(apiServerFlags.adminConfig, '.orch/admin.conf'),
  // Authorization is enabled on a single machine too; the administrator has all permissions.
  authorizationModes: withDefault(apiServerFlags.authorizationModes, ['RBAC']),
  ...controllerFlags,
  // The service accounts of controllers require no setup here.
  useAccounts: withDefault(controllerFlags.useAccounts, true),
} as const;
