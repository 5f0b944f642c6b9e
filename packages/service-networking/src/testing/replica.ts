import { settle } from '@orch/machinery/testing';
import type { ModelStore } from '@orch/storage';
import type { ServiceReconcilerOptions } from '../service-reconciler.ts';
import { open, type ServicesFixture, type ServicesFixtureOptions } from './service-fixture.ts';

const { signal } = new AbortController();

/** A replica with its service reconciler. */
export class Replica implements AsyncDisposable {
  readonly api: ServicesFixture;
  readonly reconciler: ReturnType<ServicesFixture['registry']['serviceReconciler']>;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(api: ServicesFixture, options: Partial<ServiceReconcilerOptions>) {
    this.api = api;
    this.reconciler = api.registry.serviceReconciler({ port: 6443, address: undefined, ...options });
  }

  static async open(
    options: Partial<ServiceReconcilerOptions> = {},
    fixture: ServicesFixtureOptions = {},
  ): Promise<Replica> {
    return new Replica(await open(fixture), options);
  }

  async start(): Promise<this> {
    await this.reconciler.start(signal);
    this.#running = this.reconciler.run(this.#stop.signal);
    await this.advance(0);
    return this;
  }

  async advance(ms: number): Promise<void> {
    await this.api.env.clock.advanceAsync(ms);
    for (let turn = 0; turn < 40; turn++) await settle();
  }

  /** Stops all activity, as a killed process does. */
  async kill(): Promise<void> {
    this.#stop.abort(new Error('killed'));
    await this.api.env.clock.advanceAsync(1);
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.api[Symbol.asyncDispose]();
  }
}

/** Writes a service to the store without allocation. */
export async function plant(
  model: ModelStore,
  name: string,
  spec: object,
  createdAt = '2024-01-01T00:00:00Z',
): Promise<void> {
  const value = Buffer.from(
    JSON.stringify({
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name, namespace: 'default', uid: `uid-${name}`, creationTimestamp: createdAt },
      spec: {
        ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
        type: 'ClusterIP',
        sessionAffinity: 'None',
        ...spec,
      },
      status: { loadBalancer: {} },
    }),
  );
  await model.commit({ op: 'create', key: `/registry/services/default/${name}`, value }, signal);
}
