import type { ReplicaRecord, RequestRecord } from '@orch/pipeline';
import { SLOW_REQUEST_MS } from '@orch/pipeline';
import type { RequestInfo, RequestStep } from '@orch/request';
import type { Asker, AskerParts } from '../answer/asker.ts';
import type { Cause, CauseType } from '../answer/cause.ts';
import { refusalCauses } from './refusal-causes.ts';
import { levelTitle, stepTitle } from './step-title.ts';

/** A request and why it was refused or slow. */
export interface ExplainedRequest {
  readonly auditId: string;
  readonly replica: string;
  readonly receivedAt: string;
  readonly durationMs: number;
  readonly code: number;
  readonly verb: string;
  readonly method: string;
  readonly target: string;
  readonly user: string;
  readonly userAgent: string;
  readonly stages: readonly ExplainedStage[];
  readonly causes: readonly Cause[];
}

/** A measured part of a request; parts are in chronological order. */
export interface ExplainedStage {
  readonly stage: string;
  /** Name of the plugin, webhook, priority level or operation; empty where there is only one. */
  readonly name: string;
  readonly ms: number;
  readonly refused?: true;
}

export async function explainedRequest(
  asker: Asker,
  parts: AskerParts,
  { replica, record }: ReplicaRecord,
): Promise<ExplainedRequest> {
  const { id, receivedAt, durationMs, code, method, target, info, user, userAgent } = record;
  const stages = await stagesOf(asker, parts, record);
  const refusals = await refusalCauses(asker, parts, record);
  const isSlow = durationMs >= SLOW_REQUEST_MS && !isWatch(info);
  return {
    ...{ auditId: id, replica, receivedAt: new Date(receivedAt).toISOString() },
    ...{ durationMs: rounded(durationMs), code, verb: info.verb, method, target, user: user.name, userAgent },
    stages,
    causes: [...useCauses(record), ...refusals, ...(isSlow ? slowCauses(stages, durationMs) : [])],
  };
}

function useCauses({ deprecated, info, userAgent }: RequestRecord): readonly Cause[] {
  if (deprecated === undefined || !info.isResource) return [];
  const { removedIn, count } = deprecated;
  const version = info.group === '' ? info.version : `${info.group}/${info.version}`;
  const end = removedIn === '' ? '' : ` and removed in ${removedIn}`;
  const requests = count === 1 ? 'one request' : `${count} requests`;
  const program = userAgent === '' ? '' : ` with ${userAgent}`;
  const message = `${version} ${info.resource} is deprecated${end}; the user sent ${requests} for it${program}`;
  return [{ type: 'DeprecatedVersion', message }];
}

const isWatch = ({ verb }: RequestInfo): boolean => verb === 'watch';

async function stagesOf(
  asker: Asker,
  parts: AskerParts,
  { timing, steps, durationMs, failure, flow }: RequestRecord,
): Promise<readonly ExplainedStage[]> {
  const stage = (name: string, ms: number, title = ''): ExplainedStage => ({
    stage: name,
    name: title,
    ms: rounded(ms),
  });
  const refusedBy = (name: string): { readonly refused?: true } =>
    failure?.stage === name ? { refused: true } : {};
  const named = await Promise.all(
    steps.map(async (step) => ({
      ...stage(step.stage, step.ms, await stepTitle(asker, parts, step)),
      ...(step.refused ? ({ refused: true } as const) : {}),
    })),
  );
  const level = flow === undefined ? '' : await levelTitle(asker, parts, flow.level);
  const known = timing.authentication + timing.queued + timing.authorization + measured(steps);
  return [
    stage('authentication', timing.authentication),
    ...(flow === undefined
      ? []
      : [{ ...stage('flow control', timing.queued, level), ...refusedBy('flow control') }]),
    { ...stage('authorization', timing.authorization), ...refusedBy('authorization') },
    ...named,
    stage('handling', Math.max(0, durationMs - known)),
  ];
}

/** Webhooks are called by plugins: their time is part of that of the plugin. */
const measured = (steps: readonly RequestStep[]): number =>
  steps.filter(({ stage }) => stage !== 'webhook').reduce((sum, { ms }) => sum + ms, 0);

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/** A stage that took this part of the time is a cause. */
const NOTABLE_PART = 0.1;

const slowTypes: Readonly<Record<string, readonly [CauseType, string]>> = {
  authentication: ['Authentication', 'authentication took'],
  'flow control': ['QueueWait', 'the request waited in a queue of flow control for'],
  authorization: ['Authorization', 'authorization took'],
  admission: ['AdmissionPlugin', 'the admission plugin took'],
  webhook: ['Webhook', 'an admission webhook took'],
  store: ['Store', 'the transaction of the store took'],
  handling: ['Handling', 'decoding, validation and the response took'],
};

const slowCauses = (stages: readonly ExplainedStage[], durationMs: number): readonly Cause[] =>
  stages
    .filter(({ ms }) => ms >= durationMs * NOTABLE_PART)
    .toSorted((a, b) => b.ms - a.ms)
    .flatMap(({ stage, name, ms }): readonly Cause[] => {
      const [type, took] = slowTypes[stage] ?? ['Handling', `${stage} took`];
      const of = name === '' ? '' : ` (${name})`;
      return [{ type, message: `${took} ${ms} ms of ${rounded(durationMs)} ms${of}` }];
    });
