import { type Cell, type DebugEndpoint, tableText, textAnswer } from '@orch/program';
import type { FlowTable } from './flow-table.ts';
import type { PriorityLevel } from './priority-level.ts';

const FOLDER = '/debug/api_priority_and_fairness';

/** The state of flow control as tables, at the paths that the ecosystem documents. */
export const flowEndpoints = (table: FlowTable): readonly DebugEndpoint[] => [
  endpoint('dump_priority_levels', 'Priority levels of flow control with their seats and requests.', () =>
    levelTable(table),
  ),
  endpoint('dump_queues', 'Queues of the priority levels.', () => queueTable(table)),
  endpoint('dump_requests', 'Queued requests by flow: flow schema, and user or namespace.', () =>
    requestTable(table),
  ),
];

const endpoint = (name: string, summary: string, text: () => string): DebugEndpoint => ({
  path: `${FOLDER}/${name}`,
  summary,
  methods: ['GET'],
  answer: () => textAnswer(text()),
});

function levelTable(table: FlowTable): string {
  const columns = [
    ...['PriorityLevelName', 'ActiveQueues', 'IsIdle', 'WaitingRequests', 'ExecutingRequests'],
    ...['SeatsInUse', 'Seats'],
  ];
  const rows = [...table.levels].map((level): readonly Cell[] => {
    const executing = table.schemas
      .filter((schema) => schema.level === level)
      .reduce((sum, { counts }) => sum + counts.executing, 0);
    const active = level.queues.filter(({ waiting }) => waiting.length > 0).length;
    const isIdle = level.waiting === 0 && level.seatsInUse === 0;
    const { seats } = level.limits;
    return [level.name, active, isIdle, level.waiting, executing, level.seatsInUse, seats ?? 'unlimited'];
  });
  return tableText(columns, rows);
}

function queueTable(table: FlowTable): string {
  const columns = ['PriorityLevelName', 'Index', 'PendingRequests', 'InitialSeatsSum', 'NextDispatchR'];
  const rows = [...table.levels].flatMap((level) =>
    level.queues.map(({ number, waiting, served }): readonly Cell[] => {
      const seats = waiting.reduce((sum, { width }) => sum + width, 0);
      return [level.name, number, waiting.length, seats, `${(served / 1000).toFixed(3)}ss`];
    }),
  );
  return tableText(columns, rows);
}

function requestTable(table: FlowTable): string {
  const columns = [
    ...['PriorityLevelName', 'FlowSchemaName', 'QueueIndex', 'RequestIndexInQueue', 'FlowDistingsher'],
    'InitialSeats',
  ];
  return tableText(columns, [...table.levels].flatMap(requestRows));
}

const requestRows = (level: PriorityLevel): readonly (readonly Cell[])[] =>
  level.queues.flatMap(({ number, waiting }) =>
    waiting.map(({ flow, width }, position): readonly Cell[] => {
      const end = flow.indexOf('\n');
      return [level.name, flow.slice(0, end), number, position, flow.slice(end + 1), width];
    }),
  );
