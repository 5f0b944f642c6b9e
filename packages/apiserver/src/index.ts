export { announce } from './announce.ts';
export { type ApiServerFlags, apiServerFlags } from './api-server-flags.ts';
export { buildFacts, embeddedWorkerUrl } from './build-facts.ts';
export { StartError } from './failure.ts';
export * from './flags/define.ts';
export { type Program, runProgram } from './program.ts';
export { type ProgramEnv, programEnv } from './program-env.ts';
export { type ApiServerHost, type RunningApiServer, runApiServer } from './run-api-server.ts';
export { type Settings, settingsOf } from './settings.ts';
