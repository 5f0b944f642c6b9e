/** Name of the ConfigMap that the operator maintains in a namespace. */
export const SETTINGS = 'settings';
/** Annotation of a Namespace: the name of its profile. */
export const PROFILE = 'settings.example.com/profile';
/** Label of a ConfigMap that this operator created, and may change and delete. */
export const MANAGED = 'settings.example.com/managed';

type Data = Readonly<Record<string, string>>;

/** The input of a decision. */
export interface State {
  /** The name of the requested profile, if any. */
  readonly requested: string | undefined;
  /** The data of that profile; undefined when it does not exist. */
  readonly profile: Data | undefined;
  /** The current ConfigMap of the namespace. */
  readonly settings: { readonly data: Data; readonly isManaged: boolean } | undefined;
}

export type Action =
  | { readonly type: 'nothing' }
  | { readonly type: 'create' | 'update'; readonly data: Data }
  | { readonly type: 'delete' }
  | { readonly type: 'warn'; readonly reason: string; readonly message: string };

const nothing: Action = { type: 'nothing' };

const isSame = (a: Data, b: Data): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value);

/** Decides about one namespace. A pure function, which can be tested without a server. */
export function decide({ requested, profile, settings }: State): Action {
  if (settings !== undefined && !settings.isManaged) {
    if (requested === undefined) return nothing;
    return {
      type: 'warn',
      reason: 'SettingsTaken',
      message: `${SETTINGS} exists and is not managed by the operator`,
    };
  }
  if (requested === undefined) return settings === undefined ? nothing : { type: 'delete' };
  if (profile === undefined) {
    // The settings are kept, so that the temporary absence of a profile has no effect.
    return {
      type: 'warn',
      reason: 'ProfileMissing',
      message: `there is no profile ${JSON.stringify(requested)}`,
    };
  }
  if (settings === undefined) return { type: 'create', data: profile };
  return isSame(settings.data, profile) ? nothing : { type: 'update', data: profile };
}
