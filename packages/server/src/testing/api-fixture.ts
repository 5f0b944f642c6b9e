import assert from 'node:assert/strict';
import type { AggregationOptions } from '@orch/aggregation';
import type { OpenWebhook } from '@orch/auth';
import type { ConnectOptions } from '@orch/connect';
import type { Peers } from '@orch/explanations';
import { RegistryFixture, type RegistryFixtureOptions } from '@orch/registry/testing';
import type { ServiceRanges } from '@orch/service-networking';
import { type Api, createApi } from '../api.ts';
import type { ExplanationSources } from '../api-features.ts';

export interface ApiFixtureOptions extends RegistryFixtureOptions {
  readonly connect?: ConnectOptions;
  readonly aggregation?: AggregationOptions;
  /** Address and port ranges of services. */
  readonly services?: ServiceRanges;
  /** Other replicas, for explanations; none when absent. */
  readonly peers?: Peers;
  /** Calls webhooks; over HTTPS when absent. */
  readonly openWebhook?: OpenWebhook;
  /** The writes of fields, for explanations; none when absent. */
  readonly fieldHistoryOf?: ExplanationSources['historyOf'];
}

const noPeers: Peers = { own: { id: 'replica', host: 'host' }, ask: async () => [] };

/** The API in process: model store, real cache, real pipeline, all requests allowed. */
export class ApiFixture extends RegistryFixture<Api> {
  static override async open(options: ApiFixtureOptions = {}): Promise<ApiFixture> {
    const {
      connect,
      aggregation,
      services,
      openWebhook,
      peers = noPeers,
      fieldHistoryOf: historyOf,
    } = options;
    const fixture = new ApiFixture(options, ({ records, ...registry }) => {
      const api = createApi({
        ...registry,
        openWebhook,
        explanations: { remembered: records, peers, historyOf },
        ...(connect === undefined ? {} : { connect }),
        ...(aggregation === undefined ? {} : { aggregation }),
        ...(services === undefined ? {} : { services }),
      });
      return { ...api, aggregation: { run: taskNamed(api, 'aggregation') } };
    });
    await fixture.start();
    return fixture;
  }

  /** Runs one of the tasks that a server runs with its cache. */
  async runTask(name: string, signal: AbortSignal): Promise<void> {
    await taskNamed(this.registry, name)(signal);
  }
}

/** One of the tasks that a server runs with its cache. */
function taskNamed({ tasks }: Pick<Api, 'tasks'>, name: string): (signal: AbortSignal) => Promise<void> {
  const task = tasks.withCache.find(([own]) => own === name);
  assert.ok(task !== undefined, `there is no task ${name}`);
  return task[1];
}
