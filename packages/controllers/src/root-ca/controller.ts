import { type Controller, type ControllerContext, controller, informerSource, keyOf } from '@orch/client';
import { isEndingNamespace, unless } from '../api/failures.ts';
import { configMaps, namespaces } from '../api/resources.ts';
import type { Content } from '../options.ts';
import { isActive } from '../service-account/reconcile.ts';
import { wantedConfigMap } from './reconcile.ts';
import { RootCertificates } from './root-certificates.ts';

/** Keeps a config map with the authorities of the API server in every active namespace (spec 2.5). */
export function rootCaController(context: ControllerContext, rootCa: Content): Controller {
  const { client, informers } = context;
  const { names } = client;
  const name = names.objects.rootCa;
  const rootCertificates = new RootCertificates(context, rootCa);
  const spaces = informers.informer(namespaces);
  const published = informers.informer(configMaps, { fieldSelector: `metadata.name=${name}` });

  const write = async (namespace: string, rootCaText: string, signal: AbortSignal): Promise<void> => {
    const current = published.store.get(keyOf(namespace, name));
    const wanted = wantedConfigMap(namespace, rootCaText, { names, current });
    if (wanted === undefined) return;
    const maps = client.resource(configMaps, namespace);
    await (current === undefined ? maps.create(wanted, {}, signal) : maps.update(wanted, {}, signal));
  };

  return controller({
    name: 'root-ca-cert-publisher',
    sources: [
      informerSource(spaces, { filter: ({ type }) => type !== 'deleted' }),
      informerSource(published, { keys: ({ metadata }) => [metadata.namespace ?? ''] }),
      ...rootCertificates.sources(() =>
        [...spaces.store.values()].map(({ metadata }) => metadata.name ?? ''),
      ),
    ],
    async reconcile(namespace, signal) {
      if (!isActive(spaces.store.get(namespace))) return;
      const text = await rootCertificates.read();
      try {
        // Somebody else made it: the informer is about to tell, and then it is looked at.
        await unless(['AlreadyExists', 'NotFound'], () => write(namespace, text, signal));
      } catch (error) {
        if (!isEndingNamespace(error)) throw error;
      }
    },
  });
}
