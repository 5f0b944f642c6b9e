import { parseQuantity, QuantityError, quantityNumber } from '@orch/machinery/quantity';
import { UsageError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';

/** The limits of the history of objects. */
export interface HistorySettings {
  readonly retentionMs: number;
  readonly maxBytes: number;
}

/** A smaller limit would not hold the changes of a few objects. */
const LEAST_BYTES = 1024 * 1024;

/** Undefined without a history. Throws `UsageError`. */
export function historySettings({
  historyRetention: retentionMs,
  historyMaxSize,
}: Pick<ApiServerFlags, 'historyRetention' | 'historyMaxSize'>): HistorySettings | undefined {
  const maxBytes = bytesOf(historyMaxSize);
  if (maxBytes === undefined || !(maxBytes >= LEAST_BYTES)) {
    throw new UsageError(
      `invalid value ${JSON.stringify(historyMaxSize)} for --history-max-size: must be a quantity of at least 1Mi`,
    );
  }
  return retentionMs === 0 ? undefined : { retentionMs, maxBytes };
}

function bytesOf(text: string): number | undefined {
  try {
    return quantityNumber(parseQuantity(text));
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}
