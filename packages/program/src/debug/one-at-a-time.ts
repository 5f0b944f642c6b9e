import { type DebugEndpoint, textAnswer } from './endpoint.ts';
import { HTTP_TOO_MANY_REQUESTS } from './status.ts';

/**
 * Expensive endpoints: only one of them runs at a time, and requests to any of them meanwhile are answered with 429.
 */
export function oneAtATime(endpoints: readonly DebugEndpoint[]): readonly DebugEndpoint[] {
  let busy: string | undefined;
  return endpoints.map((endpoint) => ({
    ...endpoint,
    async answer(request) {
      if (busy !== undefined)
        return textAnswer(`${busy} is in progress`, HTTP_TOO_MANY_REQUESTS, { 'Retry-After': '1' });
      busy = endpoint.path;
      try {
        return await endpoint.answer(request);
      } finally {
        busy = undefined;
      }
    },
  }));
}
