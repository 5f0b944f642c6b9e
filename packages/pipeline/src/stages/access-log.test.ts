import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, recordedLog, seededRandom } from '@orch/machinery/testing';
import { localRequest, parseRequestInfo } from '@orch/request';
import { AccessLog, type FinishedRequest } from './access-log.ts';

const SEED = 20_261_123;

function openLog({ share = 0, verbosity = 0 } = {}) {
  const clock = new FakeClock();
  const { log, entries } = recordedLog(clock, verbosity);
  const sample = { share };
  const accessLog = new AccessLog({ clock, random: seededRandom(SEED), log, sample });
  const finish = (fields: Partial<FinishedRequest> = {}, count = 1): void => {
    const request = localRequest({ target: '/api/v1/pods?limit=1', headers: { 'user-agent': 'kubectl' } });
    const { method, rawPath, rawQuery } = request;
    const info = parseRequestInfo({ method, rawPath, rawQuery, contentType: undefined });
    const finished = {
      request,
      info,
      trace: { user: 'alice' },
      code: 200,
      bytes: 10,
      durationMs: 1,
      ...fields,
    };
    for (let i = 0; i < count; i++) accessLog.finished(finished);
  };
  return { clock, entries, sample, finish };
}

describe('access log', () => {
  it('slow and failed requests are logged as warnings, regardless of the sample', () => {
    const { entries, finish } = openLog();
    finish();
    finish({ code: 404 });
    finish({ code: 500 });
    finish({ durationMs: 1001 });
    assert.deepEqual(
      entries.map(({ level, code, durationMs, uri, user }) => [level, code, durationMs, uri, user]),
      [
        ['warn', 500, 1, '/api/v1/pods?limit=1', 'alice'],
        ['warn', 200, 1001, '/api/v1/pods?limit=1', 'alice'],
      ],
    );
  });

  it('a sample of a tenth logs about a tenth of the requests, and all slow and failed ones', () => {
    const { entries, clock, finish } = openLog({ share: 0.1 });
    for (let second = 0; second < 10; second++) {
      finish({}, 1000);
      finish({ code: 503 }, 2);
      clock.advance(1000);
    }
    const sampled = entries.filter(({ level }) => level === 'info').length;
    assert.ok(sampled > 850 && sampled < 1150, `${sampled} with seed ${SEED}`);
    assert.equal(entries.filter(({ level }) => level === 'warn').length, 20);
  });

  it('a changed sample takes effect with the next request', () => {
    const { entries, sample, finish } = openLog();
    finish();
    sample.share = 1;
    finish();
    sample.share = 0;
    finish();
    assert.equal(entries.length, 1);
  });

  it('a flood of requests has at most 1000 sampled entries a second, and the next entry has the number of the others', () => {
    const { entries, clock, finish } = openLog({ share: 1 });
    finish({}, 5000);
    assert.equal(entries.length, 1000);
    clock.advance(1000);
    finish({}, 2);
    assert.deepEqual(
      entries.slice(1000).map(({ leftOut }) => leftOut),
      [4000, undefined],
    );
  });

  it('with --v=3 every request is logged once', () => {
    const { entries, finish } = openLog({ share: 1, verbosity: 3 });
    finish({}, 3);
    assert.deepEqual(
      entries.map(({ level }) => level),
      ['debug', 'debug', 'debug'],
    );
  });
});
