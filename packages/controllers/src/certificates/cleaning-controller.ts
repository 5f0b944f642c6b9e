import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
} from '@orch/client';
import { unless } from '../api/failures.ts';
import { signingRequests } from '../api/resources.ts';
import type { ControllerOptions } from '../options.ts';
import { deletionTime } from './cleaning.ts';
import { readSigningRequest } from './signing-request.ts';

/** Deletes requests for certificates when their time has come (spec 3.1), unless they have changed since they were read. */
export function cleaningController(context: ControllerContext, options: ControllerOptions): Controller {
  const { client, env } = context;
  const resource = signingRequests(client.names, options.release);
  const informer = context.informers.informer(resource);
  const requests = client.resource(resource);

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
      const { uid = '', resourceVersion = '' } = object.metadata;
      const preconditions = { uid, resourceVersion };
      await unless(['NotFound'], () => requests.delete(key, { preconditions }, signal));
      return;
    },
  });
}
