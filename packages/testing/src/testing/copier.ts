import {
  builtinResources,
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  type LoadedConfig,
  runManager,
} from '@orch/client';

/** A controller under test: copies `data.in` of each config map to `data.out`. */
export const copier = ({ client, informers }: ControllerContext): Controller => {
  const { configmaps } = builtinResources(client.names).core.v1;
  const informer = informers.informer(configmaps);
  return controller({
    name: 'copier',
    sources: [informerSource(informer)],
    async reconcile(key) {
      const found = informer.store.get(key);
      const { name = '', namespace = '' } = found?.metadata ?? {};
      const { in: wanted, out } = found?.data ?? {};
      if (wanted === 'bad') throw new Error('it cannot be copied');
      if (wanted === undefined || wanted === out) return;
      await client.resource(configmaps, namespace).patch.merge(name, { data: { out: wanted } });
      return;
    },
  });
};

/** Runs a controller until the signal aborts. */
export const runCopier = (config: LoadedConfig, signal: AbortSignal): Promise<void> =>
  runManager({ name: 'copier', config, controllers: (context) => [copier(context)] }, signal);
