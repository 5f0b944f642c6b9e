import { UsageError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { storeSettingsOf } from './store-settings.ts';

/**
 * Number of threads that serve requests: that of the flag; when it is 0, the automatic one, or one where other flags permit no more,
 * or may move the content to an embedded store. Throws `UsageError`.
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
  if (flags.etcdServersOverrides.length > 0)
    return 'cannot be used with --etcd-servers-overrides: start more replicas';
  return undefined;
}
