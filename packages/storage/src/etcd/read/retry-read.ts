import type { Clock, Random } from '@orch/machinery';
import { Backoff, sleep } from '@orch/machinery/concurrency';
import { refusalOf } from '../client/etcd-error.ts';
import { GrpcCode, RpcError } from '../rpc/status.ts';
import type { CallOptions } from '../rpc/unary-call.ts';

const BASE_DELAY_MS = 20;
const MAX_DELAY_MS = 500;

export interface RetryEnv {
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Retries a read that failed with `failure` because of the member or the connection, until `deadlineAt` (monotonic):
 * reads have no effect, so they may be repeated. Rejects with the last failure.
 */
export async function retryRead<T>(
  env: RetryEnv,
  failed: { readonly failure: unknown; readonly deadlineAt: number; readonly signal: AbortSignal },
  read: (options: CallOptions) => Promise<T>,
): Promise<T> {
  const { clock } = env;
  const { deadlineAt, signal } = failed;
  const backoff = new Backoff(env, BASE_DELAY_MS, MAX_DELAY_MS);
  let { failure } = failed;
  for (;;) {
    const delayMs = backoff.next();
    if (!isTransient(failure) || clock.monotonic() + delayMs >= deadlineAt) throw failure;
    await sleep(clock, delayMs, signal);
    try {
      return await read({ timeoutMs: Math.max(1, deadlineAt - clock.monotonic()), signal });
    } catch (error) {
      failure = error;
    }
  }
}

/** The member or the connection failed, not the read. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false;
  if (error.failure === 'failed')
    return error.code === GrpcCode.unavailable || error.code === GrpcCode.cancelled;
  if (error.failure !== 'answered') return false;
  return error.code === GrpcCode.unavailable || refusalOf(error) === 'busy';
}
