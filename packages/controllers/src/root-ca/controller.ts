import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  keyOf,
  typed,
} from '@orch/client';
import { ignoreReasons, ignoreTerminatingNamespace } from '../api/writes.ts';
import type { Content } from '../options.ts';
import { isActive } from '../service-account/reconcile.ts';
import { wantedConfigMap } from './reconcile.ts';
import { RootCertificates } from './root-certificates.ts';

/** Publishes the certificate authorities of the API server in a config map of every active namespace (spec 2.5). */
export function rootCaController(context: ControllerContext, rootCa: Content): Controller {
  const { client, informers } = context;
  const { names } = client;
  const name = names.objects.rootCa;
  const { configmaps, namespaces } = typed(client).core.v1;
  const rootCertificates = new RootCertificates(context, rootCa);
  const namespaceInformer = informers.informer(namespaces.resource);
  const published = informers.informer(configmaps.resource, { fieldSelector: `metadata.name=${name}` });

  const write = async (namespace: string, rootCaText: string, signal: AbortSignal): Promise<void> => {
    const current = published.store.get(keyOf(namespace, name));
    const wanted = wantedConfigMap(namespace, rootCaText, { names, current });
    if (wanted === undefined) return;
    const maps = configmaps.in(namespace);
    await (current === undefined ? maps.create(wanted, {}, signal) : maps.update(wanted, {}, signal));
  };

  return controller({
    name: 'root-ca-cert-publisher',
    sources: [
      informerSource(namespaceInformer, { filter: ({ type }) => type !== 'deleted' }),
      informerSource(published, { keys: ({ metadata }) => [metadata.namespace ?? ''] }),
      ...rootCertificates.sources(() =>
        [...namespaceInformer.store.values()].map(({ metadata }) => metadata.name ?? ''),
      ),
    ],
    async reconcile(namespace, signal) {
      if (!isActive(namespaceInformer.store.get(namespace))) return;
      const text = await rootCertificates.read();
      // After these reasons the informer is about to deliver the change, which adds the key again.
      await ignoreTerminatingNamespace(() =>
        ignoreReasons(['AlreadyExists', 'NotFound'], () => write(namespace, text, signal)),
      );
    },
  });
}
