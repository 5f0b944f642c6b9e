import { ApiError, type Status } from '@orch/machinery';

/** The 409 for a write whose fence does not hold: nothing was written, and nothing will be. */
export class FenceRefusal extends ApiError {
  constructor(status: Status) {
    // Its message is about the Lease and repeats no values of the body.
    super(status, { withoutValues: () => status });
  }
}
