import { StoreError } from '../store.ts';
import type { PageSizer } from './page-sizer.ts';
import type { RangeRequest, RangeResponse } from './proto/kv.ts';

/** Reads a range; rejects with the errors of the store. */
export type ReadRange = (request: RangeRequest) => Promise<RangeResponse>;

export interface LimitedRequest extends RangeRequest {
  readonly limit: number;
}

/** An answer, and the limit that made it small enough. */
export interface FittingAnswer {
  readonly response: RangeResponse;
  readonly limit: number;
}

/** Asks for fewer keys when an answer is too large to be taken, and lets the sizer know: `learnAs` names the range. */
export async function readFitting(
  request: LimitedRequest,
  { sizer, learnAs }: { readonly sizer: PageSizer; readonly learnAs: string },
  read: ReadRange,
): Promise<FittingAnswer> {
  for (let { limit } = request; ; limit = Math.ceil(limit / 4)) {
    try {
      return { response: await read({ ...request, limit }), limit };
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'tooLarge' || limit === 1) throw error;
      sizer.overshot(learnAs, limit);
    }
  }
}
