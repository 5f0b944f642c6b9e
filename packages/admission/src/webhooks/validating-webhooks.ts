import { isExempt } from '../matching/exempt.ts';
import type { AdmissionPlugin } from '../types.ts';
import type { Webhook } from './webhook.ts';
import { type Invocation, WebhookCaller } from './webhook-caller.ts';
import { type ReviewedWrite, reviewedWrite } from './webhook-match.ts';
import { type WebhookParts, webhooksOf } from './webhook-parts.ts';

/**
 * `ValidatingAdmissionWebhook`: webhooks that may refuse writes. They are called in parallel; the first rejection is
 * returned.
 */
export function validatingAdmissionWebhook(parts: WebhookParts): AdmissionPlugin {
  const name = 'ValidatingAdmissionWebhook';
  const registry = webhooksOf(parts, name, 'validatingwebhookconfigurations.admissionregistration');
  const caller = new WebhookCaller(parts, 'validating');
  const { failedOpenValidatingPrefix } = parts.names.auditAnnotations;

  const call = async (
    { write, match, objects }: ReviewedWrite,
    webhook: Webhook,
    { index, took }: { readonly index: number } & Pick<Invocation, 'took'>,
  ): Promise<void> => {
    const version = await match.of(webhook);
    if (version === undefined) return;
    const failedOpenKey = `${failedOpenValidatingPrefix}0_index_${index}`;
    const invocation = { webhook, write, version, objects: await objects.in(version), failedOpenKey, took };
    await caller.run(invocation, () => true);
  };

  return {
    name,
    handles: (target) => !isExempt(target),
    handlesWrite: (target) => registry.handles(target),
    configuredBy: () => registry,
    async validate(write) {
      await registry.loaded(write.signal);
      const state = reviewedWrite(registry, parts, write);
      let slowestMs = 0;
      const took = (ms: number): void => {
        slowestMs = Math.max(slowestMs, ms);
      };
      try {
        await Promise.all(registry.all().map((webhook, index) => call(state, webhook, { index, took })));
      } finally {
        if (slowestMs > 0) write.report.exclude(slowestMs);
      }
      return undefined;
    },
  };
}
