import assert from 'node:assert/strict';
import { type Naming, namesFor } from '@orch/machinery';
import { admitting, type Review, WebhookServer } from '@orch/server/testing';
import { type ApiResponse, type LaunchedServer, type LaunchOptions, launchServer } from '@orch/testkit';

export const configMaps = '/api/v1/namespaces/default/configmaps';

const collections = {
  mutating: { resource: 'mutatingwebhookconfigurations', kind: 'MutatingWebhookConfiguration' },
  validating: { resource: 'validatingwebhookconfigurations', kind: 'ValidatingWebhookConfiguration' },
} as const;

export type WebhookPhase = keyof typeof collections;

// biome-ignore lint/suspicious/noExplicitAny: objects of a kind that the test knows.
export const jsonOf = (answer: ApiResponse, status = 200): any => {
  assert.equal(answer.status, status, answer.text);
  return answer.json;
};

/** A server, and a webhook that admits everything until a test sets another answer. */
export class WebhookCluster implements AsyncDisposable {
  readonly server: LaunchedServer;
  readonly webhook: WebhookServer;
  readonly #group: string;

  private constructor(server: LaunchedServer, webhook: WebhookServer, group: string) {
    this.server = server;
    this.webhook = webhook;
    this.#group = group;
  }

  static async start(options: LaunchOptions = {}): Promise<WebhookCluster> {
    return await WebhookCluster.around(await launchServer(options), options.naming);
  }

  static async around(server: LaunchedServer, naming: Naming = 'orch'): Promise<WebhookCluster> {
    const webhook = await WebhookServer.start(admitting());
    return new WebhookCluster(server, webhook, namesFor(naming).group('admissionregistration'));
  }

  get client(): LaunchedServer['client'] {
    return this.server.client;
  }

  /** The requests of the reviews that the webhook has received since the last call. */
  taken(): readonly Review[] {
    return this.webhook.reviews.splice(0).map(({ request }) => request);
  }

  /**
   * Creates a configuration with these webhooks, and waits until all `servers` have it; a server applies what it has in its
   * cache. Disposing the result removes it again.
   */
  async configure(
    phase: WebhookPhase,
    name: string,
    webhooks: readonly object[],
    servers: readonly Pick<LaunchedServer, 'client'>[] = [this.server],
  ): Promise<AsyncDisposable> {
    const { resource, kind } = collections[phase];
    const apiVersion = `${this.#group}/v1`;
    const path = `/apis/${apiVersion}/${resource}`;
    const body = { apiVersion, kind, metadata: { name }, webhooks };
    const { metadata } = jsonOf(await this.client.post(path, body), 201);
    const cached = `${path}/${name}?resourceVersion=${metadata.resourceVersion}`;
    for (const { client } of servers) jsonOf(await client.get(cached));
    return {
      [Symbol.asyncDispose]: async () => {
        jsonOf(await this.client.delete(`${path}/${name}`));
        for (const { client } of servers) jsonOf(await client.get(path));
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.webhook.stop();
  }
}
