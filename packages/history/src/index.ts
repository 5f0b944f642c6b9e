export { History, type HistoryOptions } from './history.ts';
