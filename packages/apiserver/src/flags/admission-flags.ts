import { defaultPluginNames, pluginNames } from '@orch/admission';
import { choicesFlag, textFlag, wholeFlag } from '@orch/program';

const admission = (name: string, help: string) => ({ name, help, section: 'Admission' });

const list = pluginNames.join(', ');

/** Flags of admission plugins (access-control document, 5.14). */
export const admissionFlags = {
  enableAdmissionPlugins: choicesFlag(
    admission(
      'enable-admission-plugins',
      `Admission plugins to enable in addition to the default ones (${defaultPluginNames.join(', ')}), in any order: ${list}. NodeRestriction completes the authorization mode Node.`,
    ),
    pluginNames,
    [],
  ),
  disableAdmissionPlugins: choicesFlag(
    admission(
      'disable-admission-plugins',
      `Admission plugins to disable, also when they are enabled by default or by a file of flags: ${list}.`,
    ),
    pluginNames,
    [],
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
