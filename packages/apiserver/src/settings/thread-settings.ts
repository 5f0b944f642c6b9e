import { UsageError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { storeSettingsOf } from './store-settings.ts';

/**
 * Returns the number of threads that serve requests. A flag of 0 selects the automatic number, or one thread if other flags permit
 * no more or name the target of a migration, which may be an embedded store. Throws `UsageError`.
 */
export function threadsOf(flags: ApiServerFlags, automatic: number): number {
  const { threads } = flags;
  if (threads === 1) return 1;
  const refusal = refusalOf(flags);
  if (threads === 0) return refusal === undefined && flags.migrationTargetFile === '' ? automatic : 1;
  if (refusal !== undefined) throw new UsageError(`--threads=${threads} ${refusal}`);
  return threads;
}

function refusalOf(flags: ApiServerFlags): string | undefined {
  if (storeSettingsOf(flags).storage === 'embedded' && flags.migrationTargetFile !== '')
    return 'needs --etcd-servers with --migration-target-file';
  return undefined;
}
