import type { Clock } from '@orch/machinery';
import { abortable, DeadlineExceeded, withDeadline } from '@orch/machinery/concurrency';
import type { CheckResult, HealthCheck, HealthEndpoint } from './checks.ts';

/** The options of a request to an endpoint. */
export interface HealthQuery {
  readonly endpoint: HealthEndpoint;
  readonly verbose: boolean;
  /** Names of excluded checks. */
  readonly exclude: readonly string[];
}

export interface HealthReport {
  readonly ok: boolean;
  /** Plain text; ends with a newline when it has several lines. */
  readonly text: string;
  /** For the log: what failed, and why. */
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
}

interface Line {
  readonly name: string;
  readonly isNotice: boolean;
  readonly result: CheckResult | 'excluded';
}

const CHECK_TIMEOUT_MS = 2_000;

/** Runs the checks of an endpoint concurrently and writes the report (spec 4.11). */
export async function reportHealth(
  checks: readonly HealthCheck[],
  query: HealthQuery,
  context: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<HealthReport> {
  const excluded = new Set(query.exclude);
  const lines = await Promise.all(
    checks.map(async (check): Promise<Line> => {
      const { name, isNotice = false } = check;
      if (excluded.delete(name)) return { name, isNotice, result: 'excluded' };
      return { name, isNotice, result: await runCheck(check, context) };
    }),
  );
  return reportOf(lines, query, [...excluded].sort());
}

/** Runs a single check by its name. The report includes the reason of a failure, so the path requires permission. */
export async function reportCheck(
  check: HealthCheck,
  context: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<HealthReport> {
  const result = await runCheck(check, context);
  if (result.ok) return { ok: true, text: 'ok', failures: [] };
  const { reason } = result;
  return { ok: false, text: `internal server error: ${reason}\n`, failures: [{ name: check.name, reason }] };
}

async function runCheck(
  check: HealthCheck,
  context: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<CheckResult> {
  try {
    using limit = withDeadline(context.signal, context.clock, CHECK_TIMEOUT_MS);
    const result = check.run(limit.signal);
    return result instanceof Promise ? await abortable(result, limit.signal) : result;
  } catch (error) {
    if (error instanceof DeadlineExceeded) return { ok: false, reason: 'no answer in time' };
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

function reportOf(lines: readonly Line[], query: HealthQuery, unknown: readonly string[]): HealthReport {
  const failures = lines.flatMap(({ name, isNotice, result }) =>
    result === 'excluded' || result.ok || isNotice ? [] : [{ name, reason: result.reason }],
  );
  const ok = failures.length === 0;
  if (ok && !query.verbose) return { ok, text: 'ok', failures };
  const text = lines.map(lineText);
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(', ');
    text.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  text.push(`${query.endpoint} check ${ok ? 'passed' : 'failed'}`);
  return { ok, text: `${text.join('\n')}\n`, failures };
}

function lineText({ name, isNotice, result }: Line): string {
  if (result === 'excluded') return `[+]${name} excluded: ok`;
  if (!result.ok && isNotice) return `[!]${name} failed without effect here: reason withheld`;
  return result.ok ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
}
