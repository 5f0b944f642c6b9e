import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import type { Description } from '../../text/description.ts';
import { describeMetadata } from '../../text/metadata.ts';
import { metricTexts } from '../../text/metrics.ts';
import { timeText } from '../../text/times.ts';
import { orUnset } from '../../text/values.ts';

type Autoscaler = kinds.autoscaling.HorizontalPodAutoscalerV2;
type AutoscalerV1 = kinds.autoscaling.HorizontalPodAutoscaler;
type Rules = kinds.autoscaling.HPAScalingRulesV2;

export const horizontalPodAutoscaler = describer<Autoscaler>({
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  versions: ['v2', 'v1'],
  describe(out, object, { names }) {
    const { metadata, spec, status } = object;
    describeMetadata(out, { metadata, names });
    out.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
    out.field(0, 'Reference', `${spec?.scaleTargetRef.kind}/${spec?.scaleTargetRef.name}`);
    if (object.apiVersion?.endsWith('/v1') === true)
      describeUtilization(out, object as unknown as AutoscalerV1);
    else describeMetrics(out, object);
    out.fields(0, { 'Min replicas': orUnset(spec?.minReplicas), 'Max replicas': spec?.maxReplicas ?? 0 });
    if (spec?.behavior !== undefined) out.line(0, 'Behavior:');
    describeBehavior(out, 'Scale Up', spec?.behavior?.scaleUp);
    describeBehavior(out, 'Scale Down', spec?.behavior?.scaleDown);
    const { currentReplicas = 0, desiredReplicas = 0 } = status ?? {};
    out.field(
      0,
      `${spec?.scaleTargetRef.kind} pods`,
      `${currentReplicas} current / ${desiredReplicas} desired`,
    );
    describeConditions(out, object);
  },
});

function describeUtilization(out: Description, { spec, status }: AutoscalerV1): void {
  if (spec?.targetCPUUtilizationPercentage === undefined) return;
  const current = status?.currentCPUUtilizationPercentage ?? '<unknown>';
  out.field(0, 'Target CPU utilization', `${spec.targetCPUUtilizationPercentage}%`);
  out.field(0, 'Current CPU utilization', `${current}%`);
}

function describeMetrics(out: Description, { spec, status }: Autoscaler): void {
  out.field(0, 'Metrics', '( current / target )');
  (spec?.metrics ?? []).forEach((metric, i) => {
    out.line(1, ...metricTexts(metric, status?.currentMetrics?.[i]));
  });
}

function describeBehavior(out: Description, title: string, rules: Rules | undefined): void {
  if (rules === undefined) return;
  out.line(1, `${title}:`);
  const { stabilizationWindowSeconds, policies, selectPolicy = 'Max' } = rules;
  if (stabilizationWindowSeconds !== undefined)
    out.line(2, `Stabilization Window: ${stabilizationWindowSeconds} seconds`);
  if (policies === undefined || policies.length === 0) return;
  out.line(2, `Select Policy: ${selectPolicy}`);
  out.line(2, 'Policies:');
  for (const { type, value, periodSeconds } of policies)
    out.line(3, `- Type: ${type}`, `Value: ${value}`, `Period: ${periodSeconds} seconds`);
}

function describeConditions(out: Description, { status }: Autoscaler): void {
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return;
  out.line(0, 'Conditions:');
  out.line(1, 'Type', 'Status', 'Reason', 'Message');
  out.line(1, '----', '------', '------', '-------');
  for (const { type, status: state, reason = '', message = '' } of conditions)
    out.line(1, type, state, reason, message);
}
