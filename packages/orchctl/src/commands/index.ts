import type { CommandEntry } from '../cli/command.ts';
import { accessCommands } from './sections/access.ts';
import { configCommands } from './sections/config.ts';
import { connectingCommands } from './sections/connecting.ts';
import { diagnosisCommands } from './sections/diagnosis.ts';
import { discoveryCommands } from './sections/discovery.ts';
import { nodeCommands } from './sections/nodes.ts';
import { otherCommands } from './sections/other.ts';
import { readingCommands } from './sections/reading.ts';
import { versionCommands } from './sections/versions.ts';
import { workloadCommands } from './sections/workloads.ts';
import { writingCommands } from './sections/writing.ts';

/** All commands, in the order of the help. Each module is loaded when its command is used. */
export const commands: readonly CommandEntry[] = [
  ...readingCommands,
  ...writingCommands,
  ...workloadCommands,
  ...accessCommands,
  ...diagnosisCommands,
  ...connectingCommands,
  ...nodeCommands,
  ...discoveryCommands,
  ...versionCommands,
  ...configCommands,
  ...otherCommands,
];
