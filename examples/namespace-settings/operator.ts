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
} from '@orch/client';
import { type Action, decide, MANAGED, PROFILE, SETTINGS } from './decide.ts';

type Resources = ReturnType<typeof builtinResources>['core']['v1'];
type ConfigMap = ObjectOf<Resources['configmaps']>;
type Namespace = ObjectOf<Resources['namespaces']>;

const BY_PROFILE = 'settings.example.com/by-profile';

const profileOf = ({ metadata }: Namespace): string[] => {
  const name = metadata.annotations?.[PROFILE];
  return name === undefined ? [] : [name];
};

/**
 * Keeps a ConfigMap `settings` in every namespace that asks for a profile by its annotation, equal to the ConfigMap of
 * that name in the namespace of profiles. Keys are names of namespaces.
 */
export function settingsController(context: ControllerContext, profilesIn: string): Controller {
  const { client, informers, events } = context;
  const { namespaces, configmaps } = builtinResources(client.names).core.v1;
  const spaces = informers.informer(namespaces, { indexes: { [BY_PROFILE]: profileOf } });
  const profiles = informers.informer(configmaps, { namespace: profilesIn });
  const settings = informers.informer(configmaps, { fieldSelector: `metadata.name=${SETTINGS}` });

  const act = async (space: Namespace, action: Action, signal: AbortSignal): Promise<void> => {
    const namespace = space.metadata.name ?? '';
    const own = client.resource(configmaps, namespace);
    const current = settings.store.get(keyOf(namespace, SETTINGS));
    // What was decided holds for what was seen: the server refuses it when the object is another by now.
    const { uid, resourceVersion } = current?.metadata ?? {};
    const seen = {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    switch (action.type) {
      case 'nothing':
        return;
      case 'create': {
        const metadata = { name: SETTINGS, namespace, labels: { [MANAGED]: 'true' } };
        await own.create({ metadata, data: { ...action.data } }, {}, signal);
        events.record(space, { type: 'Normal', reason: 'SettingsCreated', message: `made ${SETTINGS}` });
        return;
      }
      case 'update':
        await own.update({ ...(current as ConfigMap), data: { ...action.data } }, {}, signal);
        events.record(space, { type: 'Normal', reason: 'SettingsUpdated', message: `changed ${SETTINGS}` });
        return;
      case 'delete':
        await own.delete(SETTINGS, { preconditions: seen }, signal);
        events.record(space, { type: 'Normal', reason: 'SettingsDeleted', message: `removed ${SETTINGS}` });
        return;
      case 'complain':
        events.record(space, { type: 'Warning', reason: action.reason, message: action.message });
    }
  };

  return controller({
    name: 'namespace-settings',
    concurrency: 4,
    sources: [
      informerSource(spaces),
      // Somebody changes or deletes what the operator has made: the namespace is looked at again.
      informerSource(settings, { keys: ({ metadata }) => [metadata.namespace ?? ''] }),
      // A profile changes: all namespaces that ask for it are looked at again.
      indexSource(profiles, {
        informer: spaces,
        index: BY_PROFILE,
        values: ({ metadata }) => [metadata.name ?? ''],
      }),
    ],
    async reconcile(name, signal) {
      const space = spaces.store.get(name);
      // The contents of a namespace that goes are deleted with it.
      if (space === undefined || isBeingDeleted(space)) return undefined;
      const [asked] = profileOf(space);
      const profile = asked === undefined ? undefined : profiles.store.get(keyOf(profilesIn, asked));
      const current = settings.store.get(keyOf(name, SETTINGS));
      const action = decide({
        asked,
        profile: profile === undefined ? undefined : (profile.data ?? {}),
        settings:
          current === undefined
            ? undefined
            : { data: current.data ?? {}, isManaged: current.metadata.labels?.[MANAGED] === 'true' },
      });
      await act(space, action, signal);
      return undefined;
    },
  });
}
