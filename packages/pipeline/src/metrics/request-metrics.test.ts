import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics } from '@orch/machinery/env';
import { parseRequestInfo } from '@orch/request';
import { RequestMetrics } from './request-metrics.ts';

const MAX_BYTES = 4_000_000;
const RESOURCES = 1000;
const CODES = [200, 201, 400, 401, 403, 404, 409, 422, 429, 500, 503, 504];

/** Requests of every verb and scope. */
const requests: readonly (readonly [method: string, path: string, query?: string])[] = [
  ['GET', 'namespaces/default/RESOURCE/x'],
  ['GET', 'namespaces/default/RESOURCE'],
  ['GET', 'RESOURCE'],
  ['GET', 'RESOURCE', 'watch=1'],
  ['POST', 'namespaces/default/RESOURCE'],
  ['PUT', 'namespaces/default/RESOURCE/x'],
  ['PUT', 'namespaces/default/RESOURCE/x/status'],
  ['PATCH', 'namespaces/default/RESOURCE/x'],
  ['DELETE', 'namespaces/default/RESOURCE/x'],
  ['DELETE', 'namespaces/default/RESOURCE'],
];

describe('metrics of requests', () => {
  it('a week of requests of every verb, code and dry run for 1,000 custom resources exposes at most 4 MB', (t) => {
    const metrics = createMetrics();
    const families = new RequestMetrics(metrics, () => true);
    let timed = 0;
    for (let i = 0; i < RESOURCES; i++) {
      for (const [method, path, rawQuery = ''] of requests) {
        const rawPath = `/apis/stable.example.com/v1/${path.replace('RESOURCE', `customresources${i}`)}`;
        const info = parseRequestInfo({ method, rawPath, rawQuery, contentType: undefined });
        const series = families.of(info);
        for (const code of CODES) series.done(code, '', { total: 123.456, own: 123.456 });
        series.done(200, method === 'GET' ? '' : 'All', { total: 1, own: 1 });
        series.size(123_456);
        if (info.verb !== 'watch') timed += CODES.length + 1;
      }
    }
    const text = metrics.text();
    t.diagnostic(`${text.length} bytes`);
    assert.ok(text.length <= MAX_BYTES, `${text.length} bytes`);
    // Service level indicators include all requests, also those without an individual series.
    const counts = [...text.matchAll(/^apiserver_request_sli_duration_seconds_count\{.*\} (\d+)$/gm)];
    assert.equal(
      counts.reduce((sum, [, count]) => sum + Number(count), 0),
      timed,
    );
    assert.match(
      text,
      /^apiserver_request_total\{code="500",.*resource="overflow",scope="namespace",.*verb="LIST".*\} \d+$/m,
    );
  });
});
