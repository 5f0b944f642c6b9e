import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  splitKey,
} from '@orch/client';
import { unless } from '../api/failures.ts';
import { secrets } from '../api/resources.ts';
import { expirationOf } from '../bootstrap-signer/bootstrap-token.ts';
import { bootstrapTokens } from '../bootstrap-signer/informers.ts';

/** Deletes bootstrap tokens at the time at which they end (spec 3.2), unless they have changed since they were read. */
export function tokenCleanerController(context: ControllerContext): Controller {
  const { client, env } = context;
  const tokens = bootstrapTokens(context);

  return controller({
    name: 'tokencleaner',
    sources: [informerSource(tokens, { filter: ({ type }) => type !== 'deleted' })],
    async reconcile(key, signal) {
      const secret = tokens.store.get(key);
      if (secret === undefined || isBeingDeleted(secret)) return;
      const waitMs = expirationOf(secret) - env.clock.now();
      if (waitMs === Number.POSITIVE_INFINITY) return;
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      const { uid = '', resourceVersion = '' } = secret.metadata;
      const { namespace, name } = splitKey(key);
      const preconditions = { uid, resourceVersion };
      await unless(['NotFound'], () =>
        client.resource(secrets, namespace).delete(name, { preconditions }, signal),
      );
      env.log.info('a bootstrap token that had expired was deleted', { secret: key });
      return;
    },
  });
}
