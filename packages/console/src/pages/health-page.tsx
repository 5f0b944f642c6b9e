import { browserEnv } from '@orch/client/browser';
import { explainRequests } from '../api/why.ts';
import type { Episode } from '../health/episodes.ts';
import { type HealthPoint, LiveHealth } from '../health/live-health.ts';
import { readLastHour } from '../health/read-last-hour.ts';
import { readLeadership } from '../health/read-leaders.ts';
import type { ReplicaState } from '../health/state.ts';
import { FreshnessLine } from '../parts/freshness-line.tsx';
import { Failure } from '../parts/notice.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { numberText, Trend } from '../parts/trend.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useLive } from '../parts/use-live.ts';
import { useNow } from '../parts/use-now.ts';
import { durationText } from '../view/durations.ts';
import type { ToolProps } from './tool.ts';

/** The health of the replica that answers, from its metrics, and the replicas and leaders. */
export function HealthPage(props: ToolProps) {
  const { connection } = props.session;
  const nowMs = useNow();
  const live = useLive('health', (onChange) => {
    const readMetrics = (signal: AbortSignal) =>
      connection.text({ target: '/metrics', accept: 'text/plain' }, signal);
    const readPast = (signal: AbortSignal) => readLastHour(connection, signal);
    const intervals = { intervalMs: 5000, firstIntervalMs: 1000 };
    return new LiveHealth({ readMetrics, readPast, ...intervals, env: browserEnv(), onChange });
  });
  const { freshness, state, points, startedMs, episodes } = live;
  const trends = [
    { title: 'Requests', unit: 'a second', of: (point: HealthPoint) => point.requestsPerSecond },
    { title: 'Answers with 5xx', unit: 'a second', of: (point: HealthPoint) => point.errorsPerSecond },
    { title: 'Delay of the event loop', unit: 'ms', of: ({ lagMs }: HealthPoint) => lagMs },
    { title: 'Open watches', unit: '', of: ({ watches }: HealthPoint) => watches },
  ];
  return (
    <main class="page object" aria-labelledby="title">
      <header>
        <h1 id="title">Health</h1>
        <FreshnessLine {...{ freshness, nowMs }}>
          {startedMs === 0 ? null : `The replica has run for ${durationText(nowMs - startedMs)}.`}
        </FreshnessLine>
      </header>
      {freshness.phase === 'stale' && state === undefined ? <Failure problem={freshness.problem} /> : null}
      {state === undefined ? null : (
        <>
          <Findings findings={state.findings} />
          <LastHour {...{ episodes, nowMs }} />
          <div class="trends">
            {trends.map(({ of, ...trend }) => (
              <Trend
                key={trend.title}
                {...trend}
                points={points.map((point) => ({ timeMs: point.timeMs, value: of(point) }))}
              />
            ))}
          </div>
          <State state={state} />
          {state.deprecated.length === 0 ? null : <DeprecatedUsers {...props} nowMs={nowMs} />}
        </>
      )}
      <Leaders {...props} nowMs={nowMs} />
    </main>
  );
}

const Findings = ({ findings }: Pick<ReplicaState, 'findings'>) => (
  <section aria-labelledby="findings-title" id="findings" role="status">
    <h2 id="findings-title">What needs attention</h2>
    {findings.length === 0 ? <p>Nothing that an alert is about.</p> : null}
    <ul class="causes">
      {findings.map((text) => (
        <li key={text}>
          <strong class="bad">{text}</strong>
        </li>
      ))}
    </ul>
  </section>
);

/** When each finding began and ended; nothing where there was none. */
const LastHour = ({ episodes, nowMs }: { readonly episodes: readonly Episode[]; readonly nowMs: number }) =>
  episodes.length === 0 ? null : (
    <section aria-labelledby="hour-title" id="hour">
      <h2 id="hour-title">In the last hour</h2>
      <ul class="causes">
        {episodes.map(({ text, fromMs, toMs, isPresent }) => (
          <li key={`${fromMs} ${text}`}>
            {`${text} It began ${durationText(nowMs - fromMs)} ago`}
            {isPresent ? '.' : `, and ended ${durationText(nowMs - toMs)} ago.`}
          </li>
        ))}
      </ul>
    </section>
  );

const milliseconds = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined ? '' : `≤ ${numberText(seconds * 1000)} ms`;

const mebibytes = (bytes: number): string => `${numberText(bytes / 1024 / 1024)} MiB`;

function State({ state }: { readonly state: ReplicaState }) {
  const { requests, flowControl, watchCache } = state;
  const sizes = [
    ['Store', mebibytes(state.storeBytes)],
    ['Memory', mebibytes(state.memoryBytes)],
    ['Objects', String(watchCache.objects)],
    ['Events of watches', `${numberText(state.watches.eventsPerSecond)} a second`],
  ];
  return (
    <>
      <h2>Requests of the last minute</h2>
      <PlainTable
        label="Requests by verb"
        columns={['Verb', 'A second', 'Refused or failed', 'p50', 'p99']}
        rows={requests.byVerb.map(({ verb, perSecond, errorsPerSecond, p50Seconds, p99Seconds }) => [
          ...[verb, numberText(perSecond), numberText(errorsPerSecond)],
          ...[milliseconds(p50Seconds), milliseconds(p99Seconds)],
        ])}
      />
      <h2>Flow control</h2>
      <PlainTable
        label="Seats by priority level"
        columns={['Priority level', 'Seats in use', 'Seats', 'Waiting', 'Rejected a second']}
        rows={flowControl.map(({ name, executing, limit, queued, rejectedPerSecond }) => [
          ...[name, String(executing), limit === 0 ? 'no limit' : String(limit)],
          ...[String(queued), numberText(rejectedPerSecond)],
        ])}
      />
      <Extensions state={state} />
      <h2>Sizes</h2>
      <PlainTable label="Sizes" columns={['What', 'Size']} rows={sizes} />
    </>
  );
}

/** Webhooks, policies and deprecated APIs, where there are any. */
function Extensions({ state: { webhooks, policies, deprecated } }: { readonly state: ReplicaState }) {
  const tables = [
    {
      title: 'Admission webhooks',
      columns: ['Webhook', 'Type', 'Calls a second', 'Refused', 'Failed', 'p99'],
      rows: webhooks.map(({ name, type, perSecond, refusedPerSecond, failedPerSecond, p99Seconds }) => [
        ...[name, type, numberText(perSecond), numberText(refusedPerSecond), numberText(failedPerSecond)],
        milliseconds(p99Seconds),
      ]),
    },
    {
      title: 'Violated admission policies',
      columns: ['Policy and binding', 'Action', 'A second', 'Since the start'],
      rows: policies.map(({ policy, binding, action, perSecond, count }) => [
        ...[`${policy} ${binding}`, action, numberText(perSecond), String(count)],
      ]),
    },
    {
      title: 'Deprecated APIs in use',
      columns: ['API', 'Removed in'],
      rows: deprecated.map(({ api, removedIn }) => [api, removedIn]),
    },
  ];
  return (
    <>
      {tables
        .filter(({ rows }) => rows.length > 0)
        .map(({ title, ...table }) => (
          <div key={title}>
            <h2>{title}</h2>
            <PlainTable label={title} {...table} />
          </div>
        ))}
    </>
  );
}

/** Who uses the deprecated APIs; nothing on servers that do not remember it. */
function DeprecatedUsers({ session: { connection }, nowMs }: ToolProps & { readonly nowMs: number }) {
  const answer = useAnswer(`${nowMs}`, (signal) => explainRequests(connection, 'deprecated', signal), {
    keepsEarlier: true,
  });
  if (answer.kind === 'waiting') return null;
  if (answer.kind === 'failed') return <Failure problem={answer.problem} />;
  const uses = answer.value ?? [];
  return uses.length === 0 ? null : (
    <PlainTable
      label="Users of deprecated APIs"
      columns={['User', 'Last request', 'Use']}
      rows={uses.map(({ user, receivedAt, causes: [cause] }) => [
        ...[user, `${durationText(nowMs - (Date.parse(receivedAt) || 0))} ago`, cause?.message ?? ''],
      ])}
    />
  );
}

function Leaders({ session, kinds, nowMs }: ToolProps & { readonly nowMs: number }) {
  const { connection, names } = session;
  const answer = useAnswer(`${nowMs}`, (signal) => readLeadership({ connection, kinds, names }, signal), {
    keepsEarlier: true,
  });
  if (answer.kind === 'waiting') return null;
  if (answer.kind === 'failed') return <Failure problem={answer.problem} />;
  const { replicas, leaders } = answer.value;
  return (
    <>
      <h2>Replicas</h2>
      <PlainTable label="Replicas" columns={['Address']} rows={replicas.map((address) => [address])} />
      {leaders.length === 0 ? null : (
        <>
          <h2>Leaders</h2>
          <PlainTable
            label="Leaders"
            columns={['Lease', 'Holder', 'Renewed']}
            rows={leaders.map(({ namespace, name, holder, renewedMs }) => [
              ...[`${namespace}/${name}`, holder],
              renewedMs === 0 ? '' : `${durationText(nowMs - renewedMs)} ago`,
            ])}
          />
        </>
      )}
    </>
  );
}
