import { UsageError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { storeSettingsOf } from './store-settings.ts';

/** Checks that the other flags permit the number of threads. Throws `UsageError`. */
export function checkThreadFlags(flags: ApiServerFlags): void {
  if (flags.threads === 1) return;
  const refusal = refusalOf(flags);
  if (refusal !== undefined) throw new UsageError(`--threads=${flags.threads} ${refusal}`);
}

function refusalOf(flags: ApiServerFlags): string | undefined {
  if (storeSettingsOf(flags).storage === 'embedded' && flags.migrationTargetFile !== '')
    return 'needs --etcd-servers with --migration-target-file';
  if (flags.etcdServersOverrides.length > 0)
    return 'cannot be used with --etcd-servers-overrides: start more replicas';
  return undefined;
}
