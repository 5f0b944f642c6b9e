import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseExposition } from './exposition.ts';
import { quantileBound } from './growth.ts';
import { readSeries, summaryOf } from './summary.ts';

const scrape = (lines: readonly string[]) => parseExposition(lines.join('\n'), readSeries);

const requests = (verb: string, code: number, value: number, resource = 'pods') =>
  `apiserver_request_total{code="${code}",resource="${resource}",verb="${verb}"} ${value}`;

const buckets = (verb: string, counts: readonly number[]) =>
  ['0.005', '0.1', '+Inf'].map(
    (bound, i) => `apiserver_request_duration_seconds_bucket{verb="${verb}",le="${bound}"} ${counts[i]}`,
  );

describe('the summary of two scrapes', () => {
  it('rates and latencies count the requests between the scrapes only', () => {
    const before = scrape([requests('GET', 200, 100), ...buckets('GET', [0, 0, 100])]);
    const after = scrape([
      requests('GET', 200, 108),
      requests('GET', 404, 2),
      requests('POST', 503, 10),
      ...buckets('GET', [9, 10, 110]),
    ]);
    const { requests: found } = summaryOf({ before, after, seconds: 2 });
    assert.equal(found.perSecond, 10);
    assert.deepEqual([found.clientErrorsPerSecond, found.serverErrorsPerSecond], [1, 5]);
    assert.deepEqual(found.byVerb, [
      {
        verb: 'GET',
        perSecond: 5,
        errorsPerSecond: 1,
        p50Seconds: 0.005,
        p90Seconds: 0.005,
        p99Seconds: 0.1,
      },
      {
        verb: 'POST',
        perSecond: 5,
        errorsPerSecond: 5,
        p50Seconds: null,
        p90Seconds: null,
        p99Seconds: null,
      },
    ]);
  });

  it('a counter that became smaller counts from 0', () => {
    const before = scrape([requests('GET', 200, 100)]);
    const after = scrape([requests('GET', 200, 4)]);
    assert.equal(summaryOf({ before, after, seconds: 2 }).requests.perSecond, 2);
  });

  it('the duration of watches is not a latency', () => {
    const after = scrape([requests('WATCH', 200, 1), ...buckets('WATCH', [0, 0, 1])]);
    const [watch] = summaryOf({ before: scrape([]), after, seconds: 1 }).requests.byVerb;
    assert.deepEqual([watch?.verb, watch?.p99Seconds], ['WATCH', null]);
  });

  it('priority levels add up the requests of their flow schemas', () => {
    const name = 'apiserver_flowcontrol';
    const after = scrape([
      `${name}_request_concurrency_limit{priority_level="low"} 7`,
      `${name}_request_concurrency_in_use{flow_schema="a",priority_level="low"} 2`,
      `${name}_request_concurrency_in_use{flow_schema="b",priority_level="low"} 3`,
      `${name}_current_inqueue_requests{flow_schema="b",priority_level="low"} 4`,
      `${name}_rejected_requests_total{flow_schema="b",priority_level="low",reason="queue-full"} 6`,
    ]);
    assert.deepEqual(summaryOf({ before: scrape([]), after, seconds: 2 }).flowControl, [
      { name: 'low', limit: 7, executing: 5, queued: 4, rejectedPerSecond: 3 },
    ]);
  });

  it('a latency beyond the last bucket has no bound', () => {
    const sample = (le: string, value: number) => ({ labels: { le }, value });
    assert.equal(quantileBound([sample('1', 0), sample('+Inf', 5)], 0.5), Number.POSITIVE_INFINITY);
    assert.equal(quantileBound([], 0.5), undefined);
  });

  it('labels with quotes, braces and escapes are read', () => {
    const read = parseExposition('a{x="1\\"}\\n\\\\,",y="é"} 2 123\na_b 3\nb NaN\n# a 5', new Set(['a']));
    assert.deepEqual([...read], [['a', [{ labels: { x: '1"}\n\\,', y: 'é' }, value: 2 }]]]);
  });
});
