import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  splitKey,
} from '@orch/client';
import { ignoreReasons, preconditionsOf } from '../api/writes.ts';
import { bootstrapTokens, expirationOf } from '../bootstrap-signer/bootstrap-token.ts';

/** Deletes bootstrap tokens when they expire (spec 3.2), each only in the version that was examined. */
export function tokenCleanerController(context: ControllerContext): Controller {
  const { env } = context;
  const { secrets, informer } = bootstrapTokens(context);

  return controller({
    name: 'tokencleaner',
    sources: [informerSource(informer, { filter: ({ type }) => type !== 'deleted' })],
    async reconcile(key, signal) {
      const secret = informer.store.get(key);
      if (secret === undefined || isBeingDeleted(secret)) return;
      const waitMs = expirationOf(secret) - env.clock.now();
      if (waitMs === Number.POSITIVE_INFINITY) return;
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      const preconditions = preconditionsOf(secret.metadata);
      await ignoreReasons(['NotFound'], () => secrets.delete(splitKey(key).name, { preconditions }, signal));
      env.log.info('deleted an expired bootstrap token', { secret: key });
      return;
    },
  });
}
