import type { FollowOptions } from '@orch/client';
import { messageOf } from '@orch/machinery';
import type { Io } from '../io.ts';

/** Number of consecutive failures that is reported: a restart of the server is not. */
const REPORTED_FAILURE = 3;

/** How commands follow objects: over lost connections, with a line on standard error when an interruption lasts. */
export function followOptions({ env, err }: Pick<Io, 'env' | 'err'>): FollowOptions {
  return {
    env,
    onFailure(error, failures) {
      if (failures === REPORTED_FAILURE)
        err.write(`the watch is interrupted, still trying: ${messageOf(error)}\n`);
    },
  };
}
