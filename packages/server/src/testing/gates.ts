import assert from 'node:assert/strict';
import { namesFor } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import type { Answered } from '@orch/registry/testing';
import { ApiFixture } from './api-fixture.ts';
import { convertGates, GATE_GROUP, type GateDefinitionOptions, gateDefinition } from './gate-definition.ts';
import { WebhookServer } from './webhook-server.ts';

const DEFINITIONS = `/apis/${namesFor('orch').apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;
export const GATE_DEFINITION = `${DEFINITIONS}/gates.${GATE_GROUP}`;

/** An API that serves gates, and the webhook that converts them. */
export class Gates implements AsyncDisposable {
  readonly api: ApiFixture;
  readonly webhook: WebhookServer;

  private constructor(api: ApiFixture, webhook: WebhookServer) {
    this.api = api;
    this.webhook = webhook;
  }

  static async open(options: GateDefinitionOptions = {}): Promise<Gates> {
    const webhook = await WebhookServer.start(convertGates);
    const gates = new Gates(await ApiFixture.open(), webhook);
    await gates.define(options);
    return gates;
  }

  async define(options: GateDefinitionOptions): Promise<void> {
    const { api, webhook } = this;
    const created = await api.post(DEFINITIONS, gateDefinition(webhook, options));
    assert.equal(created.status, 201, created.text);
    await until(async () => {
      const { json } = await api.get(GATE_DEFINITION);
      return (json.status?.conditions ?? []).some(
        (one: Record<string, string>) => one['type'] === 'Established' && one['status'] === 'True',
      );
    }, 'the definition is established');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api[Symbol.asyncDispose]();
    await this.webhook.stop();
  }
}

/** The answer, which has the status. */
export const ok = (answer: Answered, status = 200): Answered => {
  assert.equal(answer.status, status, answer.text);
  return answer;
};
