import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf } from '../connect/proxy-request.ts';
import { sendStatus } from './forward.ts';
import { failureOf, type PodForwards, podPortIn } from './pod-forwards.ts';

/**
 * Answers a request of the page about ports of pods on this machine: GET lists them, POST opens one, DELETE with a local port closes
 * it. `path` is below the path of ports. Without `forwards` the console opens none.
 */
export async function answerForwards(
  { request, response, path }: { request: IncomingMessage; response: ServerResponse; path: string },
  forwards: PodForwards | undefined,
): Promise<void> {
  const { method, headers } = request;
  if (forwards === undefined) return sendStatus(response, 403, 'the console is read-only: it opens no ports');
  // No form and no page of another origin can send JSON without being asked first, which is refused.
  if (method === 'POST' && headers['content-type'] !== 'application/json')
    return sendStatus(response, 415, 'the body must be JSON');
  try {
    if (method === 'GET' && path === '') return sendJson(response, { ports: forwards.list() });
    if (method === 'POST' && path === '') {
      const body = await bodyOf(request);
      if (body === undefined) return sendStatus(response, 413, 'the request is too long');
      return sendJson(response, await forwards.open(podPortIn(body)));
    }
    if (method === 'DELETE' && /^\/\d{1,5}$/.test(path)) {
      await forwards.close(Number(path.slice(1)));
      return sendJson(response, {});
    }
    sendStatus(response, 405, 'the method is not allowed here');
  } catch (error) {
    const { code, message } = failureOf(error);
    sendStatus(response, code, message);
  }
}

function sendJson(response: ServerResponse, value: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}
