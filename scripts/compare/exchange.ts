import type { ApiClient, ApiResponse, RequestOptions } from '@orch/testkit';
import { type Difference, differingLeaves } from './differences.ts';
import { normalised } from './normalise.ts';

const REQUEST_MS = 60_000;

/** The JSON bodies of the two answers, as they came. */
export interface Answers {
  readonly reference: unknown;
  readonly server: unknown;
}

export interface ExchangeOptions extends RequestOptions {
  /** Names the step of a scenario. */
  readonly step?: string;
  /** The part of a body to compare; all of it when absent. */
  readonly project?: (body: unknown) => unknown;
}

/** Sends the same requests to two servers and collects the differences of their answers. */
export class Exchange {
  readonly differences: Difference[] = [];
  requests = 0;
  readonly #clients: readonly [reference: ApiClient, server: ApiClient];
  #section = '';

  constructor(clients: Readonly<Record<'reference' | 'server', ApiClient>>) {
    this.#clients = [clients.reference, clients.server];
  }

  begin(section: string): void {
    this.#section = section;
  }

  async send(method: string, path: string, options: ExchangeOptions = {}): Promise<Answers> {
    const { step, project = (body) => body, ...request } = options;
    const headers = { 'user-agent': 'compare/1', ...request.headers };
    const [reference, server] = await Promise.all([
      this.#clients[0].send(method, path, { ...request, headers, signal: AbortSignal.timeout(REQUEST_MS) }),
      this.#clients[1].send(method, path, { ...request, headers, signal: AbortSignal.timeout(REQUEST_MS) }),
    ]);
    this.requests++;
    const title = `${method} ${path}${step === undefined ? '' : ` (${step})`}`;
    const [expected, found] = [reference, server].map((answer) => ({
      status: answer.status,
      body: normalised(project(bodyOf(answer))),
    }));
    const leaves = [
      ...differingLeaves('status', [expected?.status, found?.status]),
      ...differingLeaves('body', [expected?.body, found?.body]),
    ];
    for (const [place, ...values] of leaves)
      this.differences.push({
        section: this.#section,
        request: title,
        path: place,
        reference: values[0],
        server: values[1],
      });
    return { reference: reference.json, server: server.json };
  }
}

const bodyOf = ({ json, text }: ApiResponse): unknown => json ?? text;
