import { RefusedRequest } from '@orch/client';
import { ApiError } from '@orch/machinery';
import type { Target } from '../resources/targets.ts';

/** The same failure with the file of its object. Invalid objects are named by their failure. */
export function inFile(error: unknown, doing: string, { document }: Pick<Target, 'document'>): unknown {
  if (!(error instanceof ApiError) || error.status.reason === 'Invalid' || document === undefined)
    return error;
  const message = `error when ${doing} ${JSON.stringify(document.place.file)}: ${error.status.message ?? ''}`;
  if (error instanceof RefusedRequest) return new RefusedRequest(message, { cause: error });
  return new ApiError({ ...error.status, message }, { cause: error });
}
