export { TurnSchedule } from '../turn-schedule.ts';
export { checkDelay } from './check-delay.ts';
export { keepProcessAlive } from './keep-alive.ts';
export { descriptorWrite, type LineWriter, lineWriter, type RawWrite } from './line-writer.ts';
export { createLogger, type LoggerOptions, silentLogger } from './logger.ts';
export type { MetricRelease } from './metric-lifecycle.ts';
export { createMetrics, type MetricsOptions } from './metrics.ts';
export {
  type SystemEnv,
  type SystemEnvOptions,
  systemClock,
  systemEnv,
  systemRandom,
} from './system-env.ts';
export { createTextLogger, type TextLoggerOptions } from './text-logger.ts';
