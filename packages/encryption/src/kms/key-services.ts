import type { Env } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';
import type { KmsConfiguration } from '../configuration/kms-provider.ts';
import { kmsPrefixOf } from '../configuration/provider.ts';
import type { KeyService } from './key-service.ts';
import { KmsV1 } from './kms-v1.ts';
import { KmsV2 } from './kms-v2.ts';

/** Time limit of calls of a service that is no longer used. */
const GRACE_MS = 10_000;

interface Used {
  readonly service: KeyService;
  readonly stop: AbortController;
}

export interface KeyServicesOptions {
  readonly env: Env;
  /** The prefix of all encrypted values. */
  readonly marker: string;
  /** One of the services works again. */
  readonly recovered: () => void;
}

/** The key services of the configuration in use. One that a changed configuration contains unchanged keeps its keys. */
export class KeyServices {
  readonly #options: KeyServicesOptions;
  #used = new Map<string, Used>();
  /** Probed for the next change. */
  #prepared = new Map<string, Used>();
  #isRunning = false;

  constructor(options: KeyServicesOptions) {
    this.#options = options;
  }

  get all(): readonly KeyService[] {
    return [...this.#used.values()].map(({ service }) => service);
  }

  /**
   * Opens and probes the services that are not in use yet, for the next change. Rejects, without an effect, when one of them does
   * not work.
   */
  async prepare(configurations: readonly KmsConfiguration[]): Promise<void> {
    this.#discardPrepared();
    const opened = new Map<string, Used>();
    for (const configuration of configurations) {
      const id = JSON.stringify(configuration);
      if (!this.#used.has(id) && !opened.has(id)) opened.set(id, this.#open(configuration));
    }
    this.#prepared = opened;
    try {
      await Promise.all([...opened.values()].map(({ service }) => service.probe()));
    } catch (error) {
      this.#discardPrepared();
      throw error;
    }
  }

  #discardPrepared(): void {
    for (const used of this.#prepared.values()) close(used);
    this.#prepared = new Map();
  }

  /** Uses the services that `read` requests, and no others. When it throws, the previous ones remain in use. */
  change<T>(read: (serviceOf: (configuration: KmsConfiguration) => KeyService) => T): T {
    const next = new Map<string, Used>();
    const serviceOf = (configuration: KmsConfiguration): KeyService => {
      const id = JSON.stringify(configuration);
      const used = next.get(id) ?? this.#used.get(id) ?? this.#prepared.get(id) ?? this.#open(configuration);
      next.set(id, used);
      return used.service;
    };
    let result: T;
    try {
      result = read(serviceOf);
    } catch (error) {
      for (const [id, used] of next) if (!this.#used.has(id)) close(used);
      throw error;
    }
    const before = this.#used;
    this.#used = next;
    for (const id of next.keys()) this.#prepared.delete(id);
    this.#discardPrepared();
    for (const [id, used] of before) if (!next.has(id)) this.#retire(used);
    if (this.#isRunning) for (const [id, used] of next) if (!before.has(id)) start(used);
    return result;
  }

  /** Probes all services until the signal aborts, and ends them then. */
  async run(signal: AbortSignal): Promise<void> {
    this.#isRunning = true;
    for (const used of this.#used.values()) start(used);
    await aborted(signal);
    this.close();
  }

  close(): void {
    this.#isRunning = false;
    for (const used of this.#used.values()) close(used);
    this.#discardPrepared();
  }

  #open(configuration: KmsConfiguration): Used {
    const { env, marker, recovered } = this.#options;
    const Service = configuration.version === 'v1' ? KmsV1 : KmsV2;
    const prefix = marker + kmsPrefixOf(configuration);
    return { service: new Service(configuration, { env, prefix, recovered }), stop: new AbortController() };
  }

  #retire(used: Used): void {
    used.stop.abort();
    this.#options.env.clock.schedule(GRACE_MS, () => close(used));
  }
}

/** Probes never reject. */
function start({ service, stop }: Used): void {
  void service.run(stop.signal);
}

function close({ service, stop }: Used): void {
  stop.abort();
  service.close();
}
