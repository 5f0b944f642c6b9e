import { isExempt } from '../matching/exempt.ts';
import type { AdmissionAttributes, AdmissionPlugin, Reinvocation } from '../types.ts';
import type { Webhook } from './webhook.ts';
import { type Invocation, WebhookCaller } from './webhook-caller.ts';
import { type ReviewedWrite, reviewedWrite } from './webhook-match.ts';
import { type WebhookParts, webhooksOf } from './webhook-parts.ts';
import { applyPatch } from './webhook-patch.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

/** `MutatingAdmissionWebhook`: webhooks that may change objects, one after the other. */
export function mutatingAdmissionWebhook(parts: WebhookParts): AdmissionPlugin {
  const name = 'MutatingAdmissionWebhook';
  const registry = webhooksOf(parts, name, 'mutatingwebhookconfigurations.admissionregistration');
  const webhooks = new MutatingWebhooks(registry, parts);
  return {
    name,
    handles: (target) => !isExempt(target),
    handlesWrite: (target) => registry.handles(target),
    configuredBy: () => registry,
    async mutate(write, reinvocation) {
      await registry.loaded(write.signal);
      await webhooks.mutate(write, reinvocation);
      return undefined;
    },
  };
}

/** The state of the first calls of the webhooks about an object, for the second ones. */
interface FirstCalls {
  /** Webhooks that were called, and are called again when the object changes afterwards. */
  readonly called: Set<Webhook>;
  /** Webhooks after whose call another webhook changed the object. */
  readonly outdated: Set<Webhook>;
  /** The object as the last webhook left it. */
  output: string;
}

class MutatingWebhooks {
  readonly #registry: WebhookRegistry;
  readonly #caller: WebhookCaller;
  readonly #parts: WebhookParts;
  readonly #first = new WeakMap<object, FirstCalls>();

  constructor(registry: WebhookRegistry, parts: WebhookParts) {
    this.#registry = registry;
    this.#caller = new WebhookCaller(parts, 'admit');
    this.#parts = parts;
  }

  async mutate(write: AdmissionAttributes, reinvocation: Reinvocation): Promise<void> {
    const { isSecond } = reinvocation;
    const { object } = write;
    const known = object === undefined || !isSecond ? undefined : this.#first.get(object);
    if (isSecond && known === undefined) return;
    const calls: FirstCalls = known ?? { called: new Set(), outdated: new Set(), output: '' };
    // Other plugins changed the object after the webhooks.
    if (isSecond && calls.output !== JSON.stringify(object)) outdate(calls);
    const state = { ...reviewedWrite(this.#registry, this.#parts, write), isSecond };
    for (const [index, webhook] of this.#registry.all().entries()) {
      if (isSecond && !calls.outdated.has(webhook)) continue;
      const changed = await this.#call(state, webhook, index);
      if (changed) {
        state.objects.changed();
        outdate(calls);
        reinvocation.request();
      }
      if (webhook.reinvokedIfNeeded && changed !== undefined) calls.called.add(webhook);
    }
    if (object === undefined || calls.called.size + calls.outdated.size === 0) return;
    calls.output = JSON.stringify(object);
    this.#first.set(object, calls);
  }

  /** Reports whether the webhook changed the object; undefined when the write does not match. */
  async #call(
    { write, match, objects, isSecond }: ReviewedWrite & Pick<Reinvocation, 'isSecond'>,
    webhook: Webhook,
    index: number,
  ): Promise<boolean | undefined> {
    const version = await match.of(webhook);
    if (version === undefined) return undefined;
    const { auditAnnotations: keys } = this.#parts.names;
    const place = `${isSecond ? 1 : 0}_index_${index}`;
    const failedOpenKey = keys.failedOpenMutatingPrefix + place;
    const invocation: Invocation = {
      webhook,
      write,
      version,
      objects: await objects.in(version),
      failedOpenKey,
      took: (ms) => write.report.exclude(ms),
    };
    let mutated = false;
    try {
      mutated = await this.#patched(invocation, keys.patchWebhookPrefix + place);
      return mutated;
    } finally {
      const { name, configuration } = webhook;
      const value = JSON.stringify({ configuration, webhook: name, mutated });
      write.report.annotate(keys.mutationWebhookPrefix + place, value);
    }
  }

  #patched(invocation: Invocation, patchKey: string): Promise<boolean> {
    const { webhook, write, version, objects } = invocation;
    const { name, configuration } = webhook;
    return this.#caller.run(invocation, async ({ patch: operations = [] }) => {
      if (operations.length === 0) return false;
      const changed = await applyPatch({ webhook: name, version, object: objects.object, operations }, write);
      const value = { configuration, webhook: name, patch: operations, patchType: 'JSONPatch' };
      write.report.annotate(patchKey, JSON.stringify(value), 'Request');
      return changed;
    });
  }
}

/** The object changed: the webhooks that were called before are called again. */
function outdate({ called, outdated }: FirstCalls): void {
  for (const webhook of called) outdated.add(webhook);
  called.clear();
}
