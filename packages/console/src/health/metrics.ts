export { type Exposition, type MetricSample, parseExposition } from './exposition.ts';
export type { ScrapePair } from './growth.ts';
export { type HealthRecord, LiveHealth } from './live-health.ts';
export {
  type LevelSummary,
  readSeries,
  type ServerSummary,
  START_TIME,
  summaryOf,
  type VerbSummary,
} from './summary.ts';
