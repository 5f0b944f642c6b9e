export { Background, type BackgroundTask, taskOf } from './background.ts';
export { type BuildFacts, buildFacts } from './build-facts.ts';
export { readCertificateBundle } from './certificate-bundle.ts';
export { Cleanup } from './cleanup.ts';
export { type DebugAnswer, type DebugEndpoint, jsonAnswer, textAnswer } from './debug/endpoint.ts';
export { DebugEndpoints } from './debug/endpoints.ts';
export { settingEndpoint } from './debug/number-setting.ts';
export { processDebug } from './debug/process-debug.ts';
export { type Cell, tableText } from './debug/table.ts';
export type { DebugQuestion, DebugThreads } from './debug/threads.ts';
export { endProcess } from './end-process.ts';
export { StartError } from './failure.ts';
export * from './flags/index.ts';
export {
  type CheckResult,
  type HealthCheck,
  HealthChecks,
  healthEndpoints,
  healthy,
  StartStep,
  unhealthy,
} from './health/checks.ts';
export { Health } from './health/health.ts';
export { logCheck } from './health/log-check.ts';
export { checkAddress, type HostPort, readHostPort } from './host-port.ts';
export { isTerminal, type LogFormat, logFormatFlag } from './log-format.ts';
export { openAll, runAll } from './open-all.ts';
export { acceptsGzip } from './ops/accepts-gzip.ts';
export { type ForeignRequest, type OpsDebug, onlyLocal } from './ops/debug-handler.ts';
export { exposition } from './ops/exposition.ts';
export { serveOps } from './ops/ops-server.ts';
export { idleRuntime, reclaimIdleMemory } from './process/idle-memory.ts';
export { processMetrics } from './process/process-metrics.ts';
export { threadMetrics } from './process/thread-metrics.ts';
export { type Program, type ProgramOutput, runProgram } from './program.ts';
export { type LogFlags, type ProgramEnv, programEnv, type WriteLine } from './program-env.ts';
export { readFlagBytes, readFlagFile } from './read-file.ts';
export { type VersionInfo, versionInfo } from './version-info.ts';
export { writeProblem } from './write-problem.ts';
