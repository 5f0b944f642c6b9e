import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  keyOf,
  typed,
} from '@orch/client';
import { ignoreReasons } from '../api/writes.ts';
import { bootstrapTokens } from './bootstrap-token.ts';
import { nextExpiration, signedConfigMap } from './reconcile.ts';

/** Signs the cluster information that a node reads before it trusts the cluster, once per bootstrap token (spec 5.4). */
export function bootstrapSignerController(context: ControllerContext): Controller {
  const { client, informers, env } = context;
  const { names } = client;
  const { public: namespace } = names.namespaces;
  const name = names.objects.clusterInfo;
  const key = keyOf(namespace, name);
  const { configmaps } = typed(client, namespace).core.v1;
  const fieldSelector = `metadata.name=${name}`;
  const maps = informers.informer(configmaps.resource, { namespace, fieldSelector });
  const tokens = bootstrapTokens(context).informer;

  return controller({
    name: 'bootstrapsigner',
    sources: [informerSource(maps), informerSource(tokens, { keys: () => [key] })],
    async reconcile(_key, signal) {
      const map = maps.store.get(key);
      if (map === undefined) return;
      const secrets = [...tokens.store.values()];
      const now = env.clock.now();
      const signed = await signedConfigMap(map, secrets, { now, names });
      if (signed !== undefined)
        await ignoreReasons(['NotFound'], () => configmaps.update(signed, {}, signal));
      const next = nextExpiration(secrets, now);
      return next === undefined ? undefined : { requeueAfterMs: next - now };
    },
  });
}
