import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import {
  headersOf,
  lineReader,
  type Outcome,
  type RequestBody,
  type Wire,
  type WireOptions,
} from './wire.ts';

/** Requests over kept connections, and a connection for each watch, as clients of HTTP/1.1 do it. */
export class Http1Wire implements Wire {
  readonly resent = 0;
  readonly #options: WireOptions;
  readonly #agent: Agent;

  constructor(options: WireOptions) {
    this.#options = options;
    const { ca, cert, key } = options;
    this.#agent = new Agent({ keepAlive: true, ca, ...(cert && { cert }), ...(key && { key }) });
  }

  request(method: string, path: string, body?: RequestBody): Promise<Outcome> {
    return this.#send(method, path, body, textOf);
  }

  watch(path: string, onLine: (line: string) => void): Promise<Outcome> {
    return this.#send('GET', path, undefined, (response) => {
      if (response.statusCode !== 200) return textOf(response);
      const read = lineReader(onLine);
      response.setEncoding('utf8');
      response.on('data', read);
      return Promise.resolve('');
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #send(
    method: string,
    path: string,
    body: RequestBody | undefined,
    read: (response: IncomingMessage) => Promise<string>,
  ): Promise<Outcome> {
    const url = new URL(path, this.#options.server);
    return new Promise((resolve) => {
      const outgoing = httpsRequest(url, { method, agent: this.#agent, headers: headersOf(body) });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        resolve({ kind: 'closed', reason: error.code ?? error.message });
      });
      outgoing.on('response', (response) => {
        const text = read(response);
        const { statusCode: status = 0 } = response;
        response.on('end', () => void text.then((body) => resolve({ kind: 'answered', status, body })));
        response.on('error', (error) => resolve({ kind: 'closed', reason: error.message }));
        response.on('close', () => {
          if (!response.complete) resolve({ kind: 'closed', reason: 'during the answer' });
        });
      });
      outgoing.end(body?.text);
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) text += String(chunk);
  return text;
}
