import { asNumber, asObjects, asText } from '@orch/machinery/json';
import type { Connection } from '../api/connection.ts';
import { ask } from '../api/why.ts';
import type { HealthRecord } from './live-health.ts';

/** The last hour of the replica that answers, as it remembers it. Undefined on a server that does not. */
export async function readLastHour(
  connection: Connection,
  signal: AbortSignal,
): Promise<HealthRecord | undefined> {
  const answer = await ask(connection, { path: 'health', question: {} }, signal);
  return (
    answer && {
      points: asObjects(answer['points']).map((point) => ({
        timeMs: asNumber(point['timeMs']),
        requestsPerSecond: asNumber(point['requestsPerSecond']),
        errorsPerSecond: asNumber(point['errorsPerSecond']),
        lagMs: asNumber(point['lagMs']),
        watches: asNumber(point['watches']),
      })),
      episodes: asObjects(answer['episodes']).map(({ text, fromMs, toMs, isPresent }) => ({
        ...{ text: asText(text), fromMs: asNumber(fromMs), toMs: asNumber(toMs) },
        isPresent: isPresent === true,
      })),
    }
  );
}
