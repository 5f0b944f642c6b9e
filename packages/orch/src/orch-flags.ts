import { apiServerFlags } from '@orch/apiserver';
import { controllerFlags } from '@orch/controller-manager/flags';
import { withDefault } from '@orch/program';

/** Flags of `orch`: those of the API server and of controllers, with defaults for one machine and one folder. */
export const orchFlags = {
  ...apiServerFlags,
  bindAddress: withDefault(apiServerFlags.bindAddress, '127.0.0.1'),
  certDir: withDefault(apiServerFlags.certDir, '.orch/certs'),
  adminConfig: withDefault(apiServerFlags.adminConfig, '.orch/admin.conf'),
  // On one's own machine, too, nobody may do what nobody allowed: the administrator may do everything.
  authorizationModes: withDefault(apiServerFlags.authorizationModes, ['RBAC']),
  ...controllerFlags,
  // Nothing has to be set up for it here.
  useAccounts: withDefault(controllerFlags.useAccounts, true),
} as const;
