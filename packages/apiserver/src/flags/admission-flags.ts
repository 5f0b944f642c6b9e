import { defaultPluginNames, type PluginName, pluginNames } from '@orch/admission';
import { DEFAULT_EMULATED_RELEASE } from '@orch/apis';
import { BadValue, type Flag, listFlag, switchFlag, textFlag, wholeFlag } from '@orch/program';

const admission = (name: string, help: string) => ({ name, help, section: 'Admission' });

const list = pluginNames.join(', ');
const defaults = defaultPluginNames(DEFAULT_EMULATED_RELEASE).join(', ');

const known: ReadonlySet<string> = new Set(pluginNames);

const isPluginName = (name: string): name is PluginName => known.has(name);

/** Names of plugins in any order, each as often as the user likes: lists are copied from cluster to cluster. */
function pluginsFlag(name: string, help: string): Flag<readonly PluginName[]> {
  const base = listFlag(admission(name, help));
  return {
    ...base,
    initial: [],
    read(text, earlier) {
      const names = base.read(text, earlier);
      const unknown = names.filter((each) => !isPluginName(each));
      if (unknown.length > 0)
        throw new BadValue(`unknown plugin ${unknown.join(', ')}: must be among ${list}`);
      return names.filter(isPluginName);
    },
  };
}

/** Flags of admission plugins (access-control document, 5.14). */
export const admissionFlags = {
  enableAdmissionPlugins: pluginsFlag(
    'enable-admission-plugins',
    `Admission plugins to enable in addition to the default ones (${defaults}), in any order: ${list}. NodeRestriction completes the authorization mode Node.`,
  ),
  disableAdmissionPlugins: pluginsFlag(
    'disable-admission-plugins',
    `Admission plugins to disable, even if they are enabled by default or by a configuration file: ${list}.`,
  ),
  admissionControl: pluginsFlag(
    'admission-control',
    'Deprecated: the enabled admission plugins, instead of the default ones, in any order. Use --enable-admission-plugins and --disable-admission-plugins.',
  ),
  // The namesake permits none by default, and every installer of it sets the flag: network plugins, storage drivers and many
  // charts need privileged containers. PodSecurity restricts them by namespace.
  allowPrivileged: switchFlag(
    admission('allow-privileged', 'Permit privileged containers in pods and pod templates.'),
    true,
  ),
  admissionControlConfigFile: textFlag(
    admission(
      'admission-control-config-file',
      'File with an AdmissionConfiguration: settings of admission plugins, and of the connections to admission webhooks.',
    ),
    '',
  ),
  defaultNotReadyTolerationSeconds: wholeFlag(
    admission(
      'default-not-ready-toleration-seconds',
      'Seconds that pods stay on a node that is not ready, unless they set their own toleration (DefaultTolerationSeconds).',
    ),
    300,
    { least: 0, most: 2 ** 31 - 1 },
  ),
  defaultUnreachableTolerationSeconds: wholeFlag(
    admission(
      'default-unreachable-toleration-seconds',
      'Seconds that pods stay on an unreachable node, unless they set their own toleration (DefaultTolerationSeconds).',
    ),
    300,
    { least: 0, most: 2 ** 31 - 1 },
  ),
} as const;
