/** The ConfigMap that the operator keeps in a namespace. */
export const SETTINGS = 'settings';
/** On a Namespace: the name of the profile whose settings it gets. */
export const PROFILE = 'settings.example.com/profile';
/** On a ConfigMap that this operator has made: what it may change and delete. */
export const MANAGED = 'settings.example.com/managed';

type Data = Readonly<Record<string, string>>;

/** Everything that a decision looks at. */
export interface State {
  /** The profile that the namespace asks for, if any. */
  readonly asked: string | undefined;
  /** What that profile says; undefined: there is no such profile. */
  readonly profile: Data | undefined;
  /** What is in the namespace now. */
  readonly settings: { readonly data: Data; readonly isManaged: boolean } | undefined;
}

export type Action =
  | { readonly type: 'nothing' }
  | { readonly type: 'create' | 'update'; readonly data: Data }
  | { readonly type: 'delete' }
  | { readonly type: 'complain'; readonly reason: string; readonly message: string };

const nothing: Action = { type: 'nothing' };

const isSame = (a: Data, b: Data): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value);

/** What to do about one namespace. A pure function: all that there is to test about the operator's mind. */
export function decide({ asked, profile, settings }: State): Action {
  if (settings !== undefined && !settings.isManaged) {
    if (asked === undefined) return nothing;
    return {
      type: 'complain',
      reason: 'SettingsTaken',
      message: `${SETTINGS} is there and is not the operator's`,
    };
  }
  if (asked === undefined) return settings === undefined ? nothing : { type: 'delete' };
  if (profile === undefined) {
    // What is there stays: a profile that is missing for a moment takes nothing away from anybody.
    return {
      type: 'complain',
      reason: 'ProfileMissing',
      message: `there is no profile ${JSON.stringify(asked)}`,
    };
  }
  if (settings === undefined) return { type: 'create', data: profile };
  return isSame(settings.data, profile) ? nothing : { type: 'update', data: profile };
}
