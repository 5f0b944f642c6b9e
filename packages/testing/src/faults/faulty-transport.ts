import { type Transport, TransportError, type TransportRequest, type TransportResponse } from '@orch/client';
import type { Clock } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { type Fault, type FaultRequest, type FaultRule, type InjectedFault, isWrite } from './fault.ts';
import { faultRequestOf } from './fault-request.ts';
import { StaleAnswers } from './stale-answers.ts';
import { faultyWatch } from './watch-body.ts';

/** Reasons of statuses. */
const reasons: Readonly<Record<number, string>> = {
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

export interface FaultyOptions {
  readonly clock: Clock;
  readonly rule: FaultRule;
  /** Called while each request is sent, and while the body of its answer arrives unless it is a watch; the result ends that. */
  readonly hold: () => () => void;
  /** Moves the clock of the control plane and of its clients forward. */
  readonly jump: (ms: number) => Promise<void>;
  /** Called with each fault that happens. */
  readonly onFault: (injected: InjectedFault) => void;
}

/** A transport whose requests have the faults of a rule. Requests that concern no object, such as discovery, have none. */
export class FaultyTransport implements Transport {
  readonly #transport: Transport;
  readonly #options: FaultyOptions;
  readonly #occurrences = new Map<string, number>();
  readonly #stale = new StaleAnswers();
  /** Ends the watches of the current replica. */
  #replica = new AbortController();

  constructor(transport: Transport, options: FaultyOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    const found = faultRequestOf(request);
    if (found === undefined) return this.#held(request, signal);
    const about = { ...found, occurrence: this.#count(`${found.verb} ${found.path}`) };
    const fault = this.#options.rule(about);
    if (fault !== undefined) this.#options.onFault({ request: about, fault });
    const ends = about.verb === 'watch' ? AbortSignal.any([signal, this.#replica.signal]) : signal;
    const answer = await this.#faulty(fault, { about, request }, ends);
    return isWrite(about) || about.verb === 'watch' ? answer : this.#stale.remember(request.target, answer);
  }

  reset(reason: string): void {
    this.#transport.reset(reason);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async #faulty(
    fault: Fault | undefined,
    { about, request }: { readonly about: FaultRequest; readonly request: TransportRequest },
    signal: AbortSignal,
  ): Promise<TransportResponse> {
    const send = (): Promise<TransportResponse> => this.#held(request, signal, about.verb === 'watch');
    const { clock } = this.#options;
    if (fault === undefined) return send();
    switch (fault.kind) {
      case 'error':
        if (fault.moment === 'after' && isWrite(about)) await drained(await send());
        return statusAnswer(fault.code);
      case 'lost':
        if (fault.moment === 'after' && isWrite(about)) await drained(await send());
        throw new TransportError(
          isWrite(about) ? 'unknown' : 'noEffect',
          'a fault of the test has cut the connection',
        );
      case 'slow':
        await sleep(clock, fault.ms, signal);
        return send();
      case 'jump':
        await this.#options.jump(fault.ms);
        return send();
      case 'replica':
        this.#replica.abort(new TransportError('noEffect', 'a fault of the test has ended the replica'));
        this.#replica = new AbortController();
        return send();
      case 'stale':
        return this.#stale.earlier(request.target) ?? send();
      case 'compacted':
        return statusAnswer(410);
      default: {
        const answer = await send();
        if (about.verb !== 'watch' || answer.status !== 200) return answer;
        return { ...answer, body: faultyWatch(answer.body, fault, { clock, signal }) };
      }
    }
  }

  async #held(request: TransportRequest, signal: AbortSignal, isWatch = false): Promise<TransportResponse> {
    const release = this.#options.hold();
    try {
      const answer = await this.#transport.send(request, signal);
      if (isWatch) release();
      return isWatch ? answer : { ...answer, body: releasing(answer.body, release) };
    } catch (error) {
      release();
      throw error;
    }
  }

  #count(key: string): number {
    const before = this.#occurrences.get(key) ?? 0;
    this.#occurrences.set(key, before + 1);
    return before;
  }
}

async function* releasing(body: AsyncIterable<Uint8Array>, release: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    release();
  }
}

async function drained({ body }: TransportResponse): Promise<void> {
  for await (const _ of body);
}

function statusAnswer(code: number): TransportResponse {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'a fault of the test',
    reason: reasons[code],
    code,
  };
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(status));
  }
  const retry = code === 429 ? { 'retry-after': '0' } : {};
  return { status: code, headers: { 'content-type': 'application/json', ...retry }, body: body() };
}
