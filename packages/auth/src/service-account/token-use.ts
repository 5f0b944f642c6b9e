import type { Metrics, Names } from '@orch/machinery';
import { type AccountClaims, accountUserName } from './account-claims.ts';

/** Counts uses of tokens, and returns their audit annotations. */
export interface TokenUse {
  /** Annotations for the audit; undefined when there are none. `now` is in epoch milliseconds. */
  record(claims: AccountClaims, now: number): Readonly<Record<string, string>> | undefined;
}

/** Records tokens that should have been replaced, and those that are never replaced. */
export function tokenUse(metrics: Metrics, names: Names): TokenUse {
  const counter = (name: string, help: string) =>
    metrics.counter({ name, help, stability: 'ALPHA' }).series();
  const legacy = counter(
    'serviceaccount_legacy_tokens_total',
    'Uses of service account tokens from secrets.',
  );
  const stale = counter(
    'serviceaccount_stale_tokens_total',
    'Uses of service account tokens that should have been replaced.',
  );
  const valid = counter(
    'serviceaccount_valid_tokens_total',
    'Uses of requested service account tokens that are not stale.',
  );
  const { staleToken, legacyToken } = names.auditAnnotations;
  return {
    record(claims, now) {
      if (claims.kind === 'legacy') {
        legacy.inc();
        return { [legacyToken]: accountUserName(claims.account, names) };
      }
      const late = claims.warnAfter === undefined ? -1 : Math.floor(now / 1000 - claims.warnAfter);
      if (late <= 0) {
        valid.inc();
        return undefined;
      }
      stale.inc();
      const subject = accountUserName(claims.account, names);
      return { [staleToken]: `subject: ${subject}, seconds after warning threshold: ${late}` };
    },
  };
}
