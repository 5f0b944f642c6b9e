import { UsageError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';

/** Checks the audit flags against each other. Throws `UsageError`. */
export function checkAuditFlags(flags: ApiServerFlags): void {
  for (const [way, isThrottled, perSecond, burst] of [
    ['log', flags.auditLogThrottle, flags.auditLogThrottleQps, flags.auditLogThrottleBurst],
    ['webhook', flags.auditWebhookThrottle, flags.auditWebhookThrottleQps, flags.auditWebhookThrottleBurst],
  ] as const) {
    if (isThrottled && (perSecond <= 0 || burst <= 0)) {
      const flag = `audit-${way}-batch-throttle`;
      throw new UsageError(`--${flag}-enable needs --${flag}-qps and --${flag}-burst above zero`);
    }
  }
  for (const [way, isTruncating, mostEvent, mostBatch] of [
    ['log', flags.auditLogTruncate, flags.auditLogMaxEvent, flags.auditLogMaxBatch],
    ['webhook', flags.auditWebhookTruncate, flags.auditWebhookMaxEvent, flags.auditWebhookMaxBatch],
  ] as const) {
    if (isTruncating && mostBatch < mostEvent) {
      const flag = `audit-${way}-truncate-max`;
      throw new UsageError(`--${flag}-batch-size must not be less than --${flag}-event-size`);
    }
  }
}
