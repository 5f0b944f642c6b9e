import { apiServerFlags } from '@orch/apiserver';
import { choiceFlag, switchFlag } from '@orch/program';

const repair = (name: string, help: string) => ({ name, help, section: 'Repair' });

/** Flags of `orch repair`. */
export const repairFlags = {
  help: apiServerFlags.help,
  version: apiServerFlags.version,
  config: apiServerFlags.config,
  logFormat: apiServerFlags.logFormat,
  dataDir: apiServerFlags.dataDir,
  dryRun: switchFlag(repair('dry-run', 'Report damage and losses without changing anything.')),
  output: choiceFlag(repair('output', 'How the report is printed.'), ['text', 'json'], 'text'),
} as const;
