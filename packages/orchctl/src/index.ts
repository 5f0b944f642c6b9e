export type { Command, CommandEntry, Example } from './cli/command.ts';
export { commands } from './commands/index.ts';
export { globalFlags } from './global-flags.ts';
export type { Io, TextOutput } from './io.ts';
export { runOrchctl } from './run-orchctl.ts';
