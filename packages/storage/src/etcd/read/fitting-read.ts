import { StoreError } from '../../store.ts';
import type { RangeRequest, RangeResponse } from '../proto/kv.ts';
import type { PageSizer } from './page-sizer.ts';

/** Reads a range; rejects with the errors of the store. */
export type ReadRange = (request: RangeRequest) => Promise<RangeResponse>;

export interface LimitedRequest extends RangeRequest {
  readonly limit: number;
}

/** An answer, and the limit with which it was small enough. */
export interface FittingAnswer {
  readonly response: RangeResponse;
  readonly limit: number;
}

/** Requests fewer keys when an answer is too large, and reports it to the sizer: `learnAs` names the range. */
export async function readFitting(
  request: LimitedRequest,
  { sizer, sizeKey }: { readonly sizer: PageSizer; readonly sizeKey: string },
  read: ReadRange,
): Promise<FittingAnswer> {
  for (let { limit } = request; ; limit = Math.ceil(limit / 4)) {
    try {
      return { response: await read({ ...request, limit }), limit };
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'tooLarge' || limit === 1) throw error;
      sizer.overshot(sizeKey, limit);
    }
  }
}
