import { type Controller, type ControllerContext, controller, informerSource, keyOf } from '@orch/client';
import { unless } from '../api/failures.ts';
import { configMaps } from '../api/resources.ts';
import { bootstrapTokens } from './informers.ts';
import { nextExpiration, signedConfigMap } from './reconcile.ts';

/** Signs what a node reads of the cluster before it trusts it, once for each bootstrap token (spec 5.4). */
export function bootstrapSignerController(context: ControllerContext): Controller {
  const { client, informers, env } = context;
  const { names } = client;
  const { public: namespace } = names.namespaces;
  const name = names.objects.clusterInfo;
  const key = keyOf(namespace, name);
  const maps = informers.informer(configMaps, { namespace, fieldSelector: `metadata.name=${name}` });
  const tokens = bootstrapTokens(context);

  return controller({
    name: 'bootstrapsigner',
    sources: [informerSource(maps), informerSource(tokens, { keys: () => [key] })],
    async reconcile(_key, signal) {
      const map = maps.store.get(key);
      if (map === undefined) return;
      const secrets = [...tokens.store.values()];
      const now = env.clock.now();
      const signed = signedConfigMap(map, secrets, { now, names });
      if (signed !== undefined)
        await unless(['NotFound'], () => client.resource(configMaps, namespace).update(signed, {}, signal));
      const next = nextExpiration(secrets, now);
      return next === undefined ? undefined : { requeueAfterMs: next - now };
    },
  });
}
