import { defaultPluginNames, isImplemented, type PluginName, removalOf } from '@orch/admission';
import type { Release } from '@orch/apis';
import { UsageError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';

export interface AdmissionSettings {
  /** The enabled plugins, in no particular order. */
  readonly plugins: readonly PluginName[];
  /** Warnings about flags that have no effect, or are deprecated. */
  readonly warnings: readonly string[];
}

type AdmissionFlags = Pick<
  ApiServerFlags,
  'admissionControl' | 'enableAdmissionPlugins' | 'disableAdmissionPlugins'
>;

const DEPRECATED =
  '--admission-control is deprecated: use --enable-admission-plugins and --disable-admission-plugins';

/**
 * The default and the enabled plugins without the disabled ones, or those of the deprecated list. Throws `UsageError` for a
 * list that is given in both ways.
 */
export function admissionSettings(flags: AdmissionFlags, release: Release): AdmissionSettings {
  const { admissionControl, enableAdmissionPlugins, disableAdmissionPlugins } = flags;
  const isReplaced = admissionControl.length > 0;
  if (isReplaced && enableAdmissionPlugins.length + disableAdmissionPlugins.length > 0) {
    throw new UsageError(
      '--admission-control cannot be used with --enable-admission-plugins and --disable-admission-plugins',
    );
  }
  const named = isReplaced ? admissionControl : enableAdmissionPlugins;
  const wanted = isReplaced ? named : [...defaultPluginNames(release), ...named];
  return {
    plugins: [...new Set(wanted)].filter(
      (name) =>
        !disableAdmissionPlugins.includes(name) &&
        isImplemented(name) &&
        removalOf(name, release) === undefined,
    ),
    warnings: [
      ...(isReplaced ? [DEPRECATED] : []),
      ...[...new Set(named)].flatMap((name) => warningAbout(name, release)),
    ],
  };
}

function warningAbout(name: PluginName, release: Release): readonly string[] {
  const removedIn = removalOf(name, release);
  if (removedIn !== undefined)
    return [`the admission plugin ${name} has no effect: it was removed in release ${removedIn}`];
  return isImplemented(name) ? [] : [`the admission plugin ${name} has no effect in this server`];
}
