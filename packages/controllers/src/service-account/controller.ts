import { type Controller, type ControllerContext, controller, informerSource, keyOf } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { isEndingNamespace, unless } from '../api/failures.ts';
import { namespaces, serviceAccounts } from '../api/resources.ts';
import { defaultAccount, isActive } from './reconcile.ts';

/** Keeps an account `default` in every active namespace (spec 5.5). */
export function serviceAccountController(context: ControllerContext): Controller {
  const { client, informers } = context;
  const spaces = informers.informer(namespaces);
  const accounts = informers.informer(serviceAccounts);

  return controller({
    name: 'serviceaccount',
    sources: [
      informerSource(spaces, { filter: ({ type }) => type !== 'deleted' }),
      informerSource(accounts, {
        filter: ({ type, object }) => type === 'deleted' && object.metadata.name === defaultAccount,
        keys: ({ metadata }: ApiObject) => [metadata.namespace ?? ''],
      }),
    ],
    async reconcile(namespace, signal) {
      if (!isActive(spaces.store.get(namespace))) return;
      if (accounts.store.get(keyOf(namespace, defaultAccount)) !== undefined) return;
      const account = {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: defaultAccount, namespace },
      };
      try {
        await unless(['AlreadyExists', 'NotFound'], () =>
          client.resource(serviceAccounts, namespace).create(account, {}, signal),
        );
      } catch (error) {
        if (!isEndingNamespace(error)) throw error;
      }
    },
  });
}
