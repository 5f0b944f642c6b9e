import {
  builtinResources,
  type Controller,
  type ControllerContext,
  controller,
  indexSource,
  informerSource,
  isBeingDeleted,
  keyOf,
  type ObjectOf,
  type Stored,
} from '@orch/client';
import { type Action, decide, MANAGED, SETTINGS } from './decide.ts';
import { BY_PROFILE, type Namespace, namespacesOf, requestedBy } from './namespaces.ts';
import { profiles } from './profile.ts';

type Resources = ReturnType<typeof builtinResources>['core']['v1'];
type ConfigMap = ObjectOf<Resources['configmaps']>;

/**
 * Maintains a ConfigMap `settings` in every namespace with the annotation of a profile, with the data of the Profile of
 * that name in the namespace of profiles. Keys are names of namespaces.
 */
export function settingsController(context: ControllerContext, profilesIn: string): Controller {
  const { client, informers, events } = context;
  const { configmaps } = builtinResources(client.names).core.v1;
  const namespaces = namespacesOf(context);
  const known = informers.informer(profiles, { namespace: profilesIn });
  const settings = informers.informer(configmaps, { fieldSelector: `metadata.name=${SETTINGS}` });

  const act = async (owner: Stored<Namespace>, action: Action, signal: AbortSignal): Promise<void> => {
    const namespace = owner.metadata.name;
    const own = client.resource(configmaps, namespace);
    const current = settings.store.get(keyOf(namespace, SETTINGS));
    // The decision is for this version: the server rejects the deletion of any other one.
    const { uid, resourceVersion } = current?.metadata ?? {};
    const preconditions = {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    switch (action.type) {
      case 'nothing':
        return;
      case 'create': {
        const metadata = { name: SETTINGS, namespace, labels: { [MANAGED]: 'true' } };
        await own.create({ metadata, data: { ...action.data } }, {}, signal);
        events.record(owner, { type: 'Normal', reason: 'SettingsCreated', message: `created ${SETTINGS}` });
        return;
      }
      case 'update':
        await own.update({ ...(current as ConfigMap), data: { ...action.data } }, {}, signal);
        events.record(owner, { type: 'Normal', reason: 'SettingsUpdated', message: `updated ${SETTINGS}` });
        return;
      case 'delete':
        await own.delete(SETTINGS, { preconditions }, signal);
        events.record(owner, { type: 'Normal', reason: 'SettingsDeleted', message: `deleted ${SETTINGS}` });
        return;
      case 'warn':
        events.record(owner, { type: 'Warning', reason: action.reason, message: action.message });
    }
  };

  return controller({
    name: 'namespace-settings',
    concurrency: 4,
    sources: [
      informerSource(namespaces),
      // A change or deletion of the settings by others requests a reconciliation of their namespace.
      informerSource(settings, { keys: ({ metadata }) => [metadata.namespace ?? ''] }),
      // A change of a profile requests a reconciliation of all namespaces that use it.
      indexSource(known, {
        informer: namespaces,
        index: BY_PROFILE,
        values: ({ metadata }) => [metadata.name],
      }),
    ],
    async reconcile(name, signal) {
      const namespace = namespaces.store.get(name);
      // The content of a deleted namespace is deleted with it.
      if (namespace === undefined || isBeingDeleted(namespace)) return undefined;
      const [requested] = requestedBy(namespace);
      const profile = requested === undefined ? undefined : known.store.get(keyOf(profilesIn, requested));
      const current = settings.store.get(keyOf(name, SETTINGS));
      const action = decide({
        requested,
        profile: profile === undefined ? undefined : profile.spec.data,
        settings:
          current === undefined
            ? undefined
            : { data: current.data ?? {}, isManaged: current.metadata.labels?.[MANAGED] === 'true' },
      });
      await act(namespace, action, signal);
      return undefined;
    },
  });
}
