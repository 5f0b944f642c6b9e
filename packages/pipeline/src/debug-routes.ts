import type { DebugEndpoint, DebugEndpoints } from '@orch/program';
import type { Route } from '@orch/request';

/** The endpoints below `/debug` as routes of the API port: only rules for non-resource URLs grant access. */
export const debugRoutes = (debug: DebugEndpoints | undefined): readonly Route[] =>
  debug === undefined ? [] : debug.all.map((endpoint) => routeOf(debug, endpoint));

const routeOf = (debug: DebugEndpoints, endpoint: DebugEndpoint): Route => ({
  path: endpoint.path,
  orSlash: endpoint.path === '/debug',
  verbs: endpoint.methods.map((method) => method.toLowerCase()),
  async handle({ request }) {
    const { method, rawQuery, signal } = request;
    const answer = await debug.answer(endpoint, {
      method,
      query: new URLSearchParams(rawQuery),
      signal,
      body: async (limit) => (await request.body(limit)).toString('utf8'),
    });
    return { kind: 'bytes', ...answer };
  },
});
