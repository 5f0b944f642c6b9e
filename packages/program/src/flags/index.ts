export { readConfigFile } from './config-file.ts';
export * from './define.ts';
export { flagSections, wrapped } from './help.ts';
export { nearest } from './nearest.ts';
export { flagValues, splitCommandLine, UsageError } from './parse.ts';
export { type CommonFlags, type ProgramDescription, type Request, readRequest } from './program.ts';
