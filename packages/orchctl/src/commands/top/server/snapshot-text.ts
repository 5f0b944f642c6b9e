import { visibleText } from '@orch/machinery/formats';
import { humanAge } from '@orch/machinery/time';
import { columnText } from '../../../print/columns.ts';
import type { Snapshot } from './server-sampler.ts';

/** A snapshot as lines. */
export function snapshotText(snapshot: Snapshot): string {
  const parts = [headText(snapshot), verbText(snapshot), stateText(snapshot), levelText(snapshot)];
  return visibleText([...parts, replicaText(snapshot)].filter((part) => part !== '').join('\n'));
}

const perSecond = (value: number): string => `${value.toFixed(1)}/s`;

/** The upper bound of a bucket. */
function latency(seconds: number | null): string {
  if (seconds === null) return '-';
  return seconds < 1 ? `≤${Math.round(seconds * 1000)}ms` : `≤${seconds}s`;
}

function headText({ replica, upSeconds, intervalSeconds, requests }: Snapshot): string {
  const { perSecond: all, clientErrorsPerSecond, serverErrorsPerSecond, inFlight } = requests;
  const running = `${inFlight['readOnly'] ?? 0} reading, ${inFlight['mutating'] ?? 0} writing`;
  return columnText([
    ['Replica:', `${replica}, up ${humanAge(upSeconds * 1000)}, over ${intervalSeconds.toFixed(1)}s`],
    ['Requests:', `${perSecond(all)}; most in flight: ${running}`],
    ['Errors:', `${perSecond(clientErrorsPerSecond)} 4xx, ${perSecond(serverErrorsPerSecond)} 5xx`],
  ]);
}

function verbText({ requests }: Snapshot): string {
  const rows = requests.byVerb.map((verb) => [
    verb.verb,
    perSecond(verb.perSecond),
    ...[latency(verb.p50Seconds), latency(verb.p90Seconds), latency(verb.p99Seconds)],
    perSecond(verb.errorsPerSecond),
  ]);
  return rows.length === 0 ? '' : columnText([['VERB', 'RATE', 'P50', 'P90', 'P99', 'ERRORS'], ...rows]);
}

function stateText({ watches, watchCache, store, consistentReadMs }: Snapshot): string {
  const { objects, interruptions, rebuilds, corruptObjects, digestMismatches } = watchCache;
  const fresh =
    consistentReadMs === undefined
      ? []
      : [['Freshness:', `a consistent read took ${consistentReadMs.toFixed(0)}ms`]];
  return columnText([
    ['Watches:', `${watches.open} open, ${perSecond(watches.eventsPerSecond)} events`],
    [
      'Watch cache:',
      `${objects} objects; ${interruptions} interruptions, ${rebuilds} rebuilds, ${corruptObjects} corrupt objects, ${digestMismatches} digest mismatches since the start`,
    ],
    ...fresh,
    ['Store:', `${perSecond(store.errorsPerSecond)} errors`],
  ]);
}

function levelText({ flowControl }: Snapshot): string {
  const rows = flowControl.map(({ name, executing, limit, queued, rejectedPerSecond }) => [
    ...[name, `${executing}`, limit === 0 ? '-' : `${limit}`, `${queued}`, perSecond(rejectedPerSecond)],
  ]);
  return rows.length === 0
    ? ''
    : columnText([['PRIORITY LEVEL', 'EXECUTING', 'LIMIT', 'QUEUED', 'REJECTED'], ...rows]);
}

function replicaText({ replicas, missing }: Snapshot): string {
  const known = replicas === undefined ? [] : [`Replicas: ${replicas.join(', ') || '<none>'}`];
  return [...known, ...missing.map((one) => `Not shown: ${one}`)].map((line) => `${line}\n`).join('');
}
