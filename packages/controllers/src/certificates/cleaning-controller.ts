import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
} from '@orch/client';
import { ignoreReasons, preconditionsOf } from '../api/writes.ts';
import type { ControllerOptions } from '../options.ts';
import { deletionTime } from './cleaning.ts';
import { readSigningRequest, signingRequests } from './signing-request.ts';

/** Deletes expired certificate signing requests (spec 3.1), each only in the version that was examined. */
export function cleaningController(context: ControllerContext, options: ControllerOptions): Controller {
  const { client, env } = context;
  const requests = signingRequests(client, options.release);
  const informer = context.informers.informer(requests.resource);

  return controller({
    name: 'csrcleaner',
    sources: [informerSource(informer, { filter: ({ type }) => type !== 'deleted' })],
    concurrency: options.concurrency.certificate,
    async reconcile(key, signal) {
      const object = informer.store.get(key);
      if (object === undefined || isBeingDeleted(object)) return;
      const now = env.clock.now();
      const waitMs = deletionTime(readSigningRequest(object), now) - now;
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      const preconditions = preconditionsOf(object.metadata);
      await ignoreReasons(['NotFound'], () => requests.delete(key, { preconditions }, signal));
      return;
    },
  });
}
