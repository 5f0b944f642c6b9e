import { type Health, healthEndpoints } from '@orch/program';
import type { Route } from '@orch/request';

/** The health endpoints as routes of the API port (spec 4.11). */
export const healthRoutes = (health: Health): readonly Route[] =>
  healthEndpoints.map((endpoint) => ({
    path: `/${endpoint}`,
    below: true,
    async handle({ request, info }) {
      const path = info.isResource ? '' : info.path;
      const { status, text } = await health.answer(path, request.rawQuery, request.signal);
      return { kind: 'bytes', status, headers: textHeaders, body: Buffer.from(text) };
    },
  }));

const textHeaders = Object.freeze({ 'Content-Type': 'text/plain; charset=utf-8' });
