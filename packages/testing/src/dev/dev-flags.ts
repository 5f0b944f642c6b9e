import { apiServerFlags } from '@orch/apiserver';
import { orchFlags } from '@orch/orch/parts';
import { choiceFlag, switchFlag, textFlag, withDefault } from '@orch/program';

const dev = (name: string, help: string) => ({ name, help, section: 'Control plane' });

/** Flags of `orch dev`. */
export const devFlags = {
  help: apiServerFlags.help,
  version: apiServerFlags.version,
  config: apiServerFlags.config,
  naming: withDefault(apiServerFlags.naming, 'kubernetes'),
  emulatedVersion: withDefault(apiServerFlags.emulatedVersion, 'latest'),
  adminConfig: textFlag(
    dev('admin-config', "File for the administrator's client configuration, which kubectl and tests use."),
    '.orch/dev.conf',
  ),
  manifests: textFlag(
    dev(
      'manifests',
      'Folder of YAML and JSON files whose objects are applied. A changed file is applied again, and objects that are no longer in a file are deleted.',
    ),
  ),
  snapshot: textFlag(
    dev('snapshot', 'File with a snapshot of a control plane, whose objects exist at the start.'),
  ),
  workloads: switchFlag(dev('workloads', 'Also run workloads: their controllers, and nodes that play pods.')),
  controllers: orchFlags.controllers,
  output: choiceFlag(
    dev('output', 'How events are printed: lines for people, or one JSON object a line.'),
    ['text', 'json'],
    'text',
  ),
} as const;
