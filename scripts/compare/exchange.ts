import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, ApiResponse, RequestOptions } from '@orch/testkit';
import { type Difference, differingLeaves } from './differences.ts';
import { normalised } from './normalise.ts';

const REQUEST_MS = 60_000;
const SETTLE_MS = 10_000;
const POLL_MS = 100;

/** JSON bodies of both servers, such as their answers as they came. */
export interface Bodies<Body = unknown> {
  readonly reference: Body;
  readonly server: Body;
}

export interface ExchangeOptions extends RequestOptions {
  /** Names the step of a scenario. */
  readonly step?: string;
  /** The bodies of the two requests, where they differ. */
  readonly bodies?: Bodies<object>;
  /** The part of a body to compare; all of it when absent. */
  readonly project?: (body: unknown) => unknown;
}

/** An answer of a server, or of a document that stands for it. */
export type Answer = Pick<ApiResponse, 'status' | 'text' | 'json'> & Partial<Pick<ApiResponse, 'headers'>>;

/** A server, or what is known of it. */
export interface Asked {
  /** The answer, or undefined when it is not known. */
  send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    request?: RequestOptions,
  ): Promise<Answer | undefined>;
}

type Clients = Readonly<Record<keyof Bodies, Asked>>;

/** The server of a client. */
export const serverOf = (client: ApiClient): Asked => ({
  send: (method, path, headers, request = {}) => client.send(method, path, { ...request, headers }),
});

/** Sends the same requests to two servers and collects the differences of their answers, where both are known. */
export class Exchange {
  readonly differences: Difference[] = [];
  requests = 0;
  readonly #clients: Clients;
  #section = '';

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  begin(section: string): void {
    this.#section = section;
  }

  /**
   * Waits until neither server changes an object any more, such as the status of a new one, and until both or none have deleted
   * it; at most some seconds, after which the difference is reported.
   */
  async settled(path: string): Promise<void> {
    const deadline = Date.now() + SETTLE_MS;
    let before: string | undefined;
    for (;;) {
      const answers = await Promise.all(
        Object.values(this.#clients).map((client) => client.send('GET', path, {})),
      );
      const now = answers.map((answer) => answer?.text).join();
      const isGone = new Set(answers.map((answer) => answer?.status === 404));
      if ((now === before && isGone.size === 1) || Date.now() > deadline) return;
      before = now;
      await delay(POLL_MS);
    }
  }

  async send(method: string, path: string, options: ExchangeOptions = {}): Promise<Bodies> {
    const { step, bodies, project = (body) => body, ...request } = options;
    const headers = { 'user-agent': 'compare/1', ...request.headers };
    const ask = (name: keyof Bodies): Promise<Answer | undefined> =>
      this.#clients[name].send(method, path, headers, {
        ...request,
        ...(bodies === undefined ? {} : { body: bodies[name] }),
        signal: AbortSignal.timeout(REQUEST_MS),
      });
    const [reference, server] = await Promise.all([ask('reference'), ask('server')]);
    this.requests++;
    const json = { reference: reference?.json, server: server?.json };
    if (reference === undefined || server === undefined) return json;
    const title = `${method} ${path}${step === undefined ? '' : ` (${step})`}`;
    const [expected, found] = [reference, server].map((answer) => ({
      status: answer.status,
      body: normalised(project(bodyOf(answer))),
      warnings: warningsOf(answer),
    }));
    const [before, after] = [expected?.warnings, found?.warnings];
    const leaves = [
      ...(before === undefined || after === undefined ? [] : differingLeaves('warnings', [before, after])),
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
    return json;
  }
}

/** A value of a `Warning` header, whose text is quoted. */
const warningForm = /299 - ("(?:[^"\\]|\\.)*")/g;

/** The texts of the warnings of an answer, sorted; undefined for a document, which has no headers. */
function warningsOf({ headers }: Answer): readonly string[] | undefined {
  if (headers === undefined) return undefined;
  const values = [headers['warning'] ?? []].flat().join(', ');
  return Array.from(values.matchAll(warningForm), ([, text = '""']) =>
    String(normalised(JSON.parse(text))),
  ).sort();
}

const bodyOf = ({ json, text }: Answer): unknown => json ?? text;
