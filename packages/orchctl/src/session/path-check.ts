import type { Transport, TransportRequest, TransportResponse } from '@orch/client';

/**
 * A transport that calls `onUnknownPath` when the server does not serve the path of a resource: what an earlier command has read about
 * the server is out of date. A missing object of a served path has a Status instead.
 */
export const checkingPaths = (inner: Transport, onUnknownPath: () => void): Transport => ({
  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    const response = await inner.send(request, signal);
    if (response.status === 404 && /^\/apis?\//.test(request.target) && !isJson(response)) onUnknownPath();
    return response;
  },
  reset: (reason) => inner.reset(reason),
  close: () => inner.close(),
});

const isJson = ({ headers }: TransportResponse): boolean =>
  headers['content-type']?.startsWith('application/json') === true;
