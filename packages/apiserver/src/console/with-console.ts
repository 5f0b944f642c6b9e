import { whenFulfilled } from '@orch/machinery/concurrency';
import type { Answer, ApiRequest, Reply } from '@orch/request';
import { CONSOLE_PATH, type ConsolePages } from './console-pages.ts';

interface Answering {
  handle(request: ApiRequest): Answer;
}

/** The server, with the console below `CONSOLE_PATH`. */
export function withConsole(server: Answering, pages: Pick<ConsolePages, 'reply'>): Answering {
  return {
    handle(request) {
      const { rawPath } = request;
      if (rawPath.startsWith(CONSOLE_PATH)) return pages.reply(request);
      if (`${rawPath}/` === CONSOLE_PATH) return toPage;
      return isShown(request) ? whenFulfilled(server.handle(request), inert) : server.handle(request);
    },
  };
}

const toPage: Reply = {
  kind: 'bytes',
  status: 308,
  headers: { Location: CONSOLE_PATH },
  body: Buffer.alloc(0),
};

/** A browser loads the answer as a page or a part of one, rather than as data for a script. */
const isShown = ({ headers }: ApiRequest): boolean => (headers['sec-fetch-dest'] ?? 'empty') !== 'empty';

/**
 * Answers of pods, services and extension API servers have the origin of the console. Their pages run in a separate origin, so that
 * they neither read the console nor its messages.
 */
function inert(reply: Reply): Reply {
  if (reply.kind === 'upgrade') return reply;
  const name = 'Content-Security-Policy';
  const own = Object.keys(reply.headers).filter((each) => each.toLowerCase() === name.toLowerCase());
  const policies = own.flatMap((each) => reply.headers[each] ?? []);
  const others = Object.entries(reply.headers).filter(([each]) => !own.includes(each));
  return { ...reply, headers: { ...Object.fromEntries(others), [name]: [...policies, 'sandbox'] } };
}
