import type { AggregationOptions } from '@orch/aggregation';
import type { ConnectOptions } from '@orch/connect';
import { RegistryFixture, type RegistryFixtureOptions } from '@orch/registry/testing';
import type { ServiceRanges } from '@orch/services';
import { type Api, createApi } from '../api.ts';

export interface ApiFixtureOptions extends RegistryFixtureOptions {
  readonly connect?: ConnectOptions;
  readonly aggregation?: AggregationOptions;
  /** Address and port ranges of services. */
  readonly services?: ServiceRanges;
}

/** The API in process: model store, real cache, real pipeline, all requests allowed. */
export class ApiFixture extends RegistryFixture<Api> {
  static override async open(options: ApiFixtureOptions = {}): Promise<ApiFixture> {
    const { connect, aggregation, services } = options;
    const fixture = new ApiFixture(options, (registry) =>
      createApi({
        ...registry,
        ...(connect === undefined ? {} : { connect }),
        ...(aggregation === undefined ? {} : { aggregation }),
        ...(services === undefined ? {} : { services }),
      }),
    );
    await fixture.start();
    return fixture;
  }
}
