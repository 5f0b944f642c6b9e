import type { OpenWebhook, WebhookAddress } from '@orch/auth';
import { MemoryObjectSource } from '@orch/auth/testing';
import { namesFor } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import { isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';
import { testEnv } from '@orch/machinery/testing';
import { noConfiguration } from '../configuration/plugin-configuration.ts';
import type { WebhookParts } from '../webhooks/webhook-parts.ts';
import { pluginFilesOf } from './plugin-files.ts';

/** The request of a review. */
export interface SentRequest {
  readonly uid: string;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly [field: string]: unknown;
}

/** The response to a review, without its uid; a rejection is a failure of the connection. */
export type Respond = (request: SentRequest, signal: AbortSignal) => object | Promise<object>;

const resources = {
  mutating: 'mutatingwebhookconfigurations.admissionregistration',
  validating: 'validatingwebhookconfigurations.admissionregistration',
} as const;

/** Webhooks at addresses `https://NAME/`, and the parts of the plugins that call them. */
export class TestWebhooks {
  readonly source = new MemoryObjectSource();
  readonly env = testEnv();
  /** The names of the called webhooks, in order. */
  readonly called: string[] = [];
  readonly requests: SentRequest[] = [];
  readonly opened: WebhookAddress[] = [];
  closed = 0;
  readonly #responses = new Map<string, Respond>();

  readonly open: OpenWebhook = (address) => {
    this.opened.push(address);
    const { hostname } = new URL(String(address.at));
    const call: ReturnType<OpenWebhook> = Object.assign(
      async ({ body }: { readonly body: Buffer }, signal: AbortSignal) => {
        const { apiVersion, kind, request } = parseJson(body) as { request: SentRequest } & JsonObject;
        this.called.push(hostname);
        this.requests.push(request);
        const respond = this.#responses.get(hostname);
        const answer = await abortable(Promise.resolve(respond?.(request, signal)), signal);
        if (isJsonObject(answer) && 'raw' in answer) return answer['raw'];
        return { apiVersion, kind, response: { uid: request.uid, allowed: true, ...answer } };
      },
      {
        [Symbol.dispose]: () => {
          this.closed += 1;
        },
      },
    );
    return call;
  };

  parts(differs: Partial<WebhookParts> = {}): WebhookParts {
    return {
      ...this.env,
      source: this.source,
      names: namesFor('orch'),
      authorizer: { authorize: () => ({ verdict: 'noOpinion', reason: '' }) },
      configuration: noConfiguration,
      openWebhook: this.open,
      hasMatchConditions: true,
      openFile: pluginFilesOf({}),
      ...differs,
    };
  }

  /** Stores a configuration. Webhooks match all writes of pods except for what is given; they answer as `respond` says. */
  configure(
    phase: keyof typeof resources,
    name: string,
    webhooks: Readonly<Record<string, { readonly respond?: Respond; readonly [field: string]: unknown }>>,
  ): void {
    const entries = Object.entries(webhooks).map(([webhook, { respond = () => ({}), ...fields }]) => {
      this.#responses.set(webhook, respond);
      return {
        name: webhook,
        clientConfig: { url: `https://${webhook}/` },
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        sideEffects: 'None',
        timeoutSeconds: 10,
        admissionReviewVersions: ['v1'],
        ...fields,
      };
    });
    this.source.put(resources[phase], { metadata: { name }, webhooks: entries });
  }

  remove(phase: keyof typeof resources, name: string): void {
    this.source.delete(resources[phase], name);
  }
}

/** The fields of a response that patches the object. */
export const patchResponse = (...operations: readonly object[]): object => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
