import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  keyOf,
  typed,
} from '@orch/client';
import { ignoreReasons, ignoreTerminatingNamespace } from '../api/writes.ts';
import { defaultAccount, isActive } from './reconcile.ts';

/** Creates the service account `default` in every active namespace (spec 5.5). */
export function serviceAccountController({ client, informers }: ControllerContext): Controller {
  const { namespaces, serviceaccounts } = typed(client).core.v1;
  const namespaceInformer = informers.informer(namespaces.resource);
  const accountInformer = informers.informer(serviceaccounts.resource);

  return controller({
    name: 'serviceaccount',
    sources: [
      informerSource(namespaceInformer, { filter: ({ type }) => type !== 'deleted' }),
      informerSource(accountInformer, {
        filter: ({ type, object }) => type === 'deleted' && object.metadata.name === defaultAccount,
        keys: ({ metadata }) => [metadata.namespace ?? ''],
      }),
    ],
    async reconcile(namespace, signal) {
      if (!isActive(namespaceInformer.store.get(namespace))) return;
      if (accountInformer.store.get(keyOf(namespace, defaultAccount)) !== undefined) return;
      const account = {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: defaultAccount, namespace },
      };
      await ignoreTerminatingNamespace(() =>
        ignoreReasons(['AlreadyExists', 'NotFound'], () =>
          serviceaccounts.in(namespace).create(account, {}, signal),
        ),
      );
    },
  });
}
