import { ApiError } from '@orch/machinery';

/** 409 for a write whose fence does not hold: nothing was written, nor will be. */
export class FenceRefusal extends ApiError {}
