import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { remoteParent, traceHeaders } from './trace-headers.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const good = `00-${trace}-${span}-01`;

describe('trace context of incoming requests', () => {
  for (const [what, traceparent, sampled] of [
    ['a sampled one', good, 1],
    ['one that is not sampled', `00-${trace}-${span}-00`, 0],
    ['one with flags of a later version', `00-${trace}-${span}-ff`, 1],
    ['one of a later version', `cc-${trace}-${span}-01`, 1],
    ['one of a later version that goes on', `cc-${trace}-${span}-01-what-the-future-will-be-like`, 1],
    ['one with blanks around', ` ${good}\t`, 1],
  ] as const) {
    it(`the parent span is ${what}`, () => {
      assert.deepEqual(remoteParent({ traceparent }), {
        traceId: trace,
        spanId: span,
        traceFlags: sampled,
        isRemote: true,
      });
    });
  }

  for (const [what, traceparent] of [
    ['nothing', undefined],
    ['an empty field', ''],
    ['two fields', [good, good]],
    ['two fields that were joined', `${good}, ${good}`],
    ['the version that does not exist', `ff-${trace}-${span}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${span}-01`],
    ['a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
    ['capital letters', good.toUpperCase()],
    ['a short trace', `00-${trace.slice(1)}-${span}-01`],
    ['a long span', `00-${trace}-${span}a-01`],
    ['no flags', `00-${trace}-${span}`],
    ['more than the first version has', `${good}-extra`],
    ['other characters', `00-${trace.replace('4', 'g')}-${span}-01`],
    ['a line break', `${good}\r\nx: y`],
    ['a field without end', `cc-${trace}-${span}-01-${'x'.repeat(100_000)}`],
    ['dashes without end', '-'.repeat(100_000)],
  ] as const) {
    it(`there is no parent span for ${what}`, () => {
      assert.equal(remoteParent({ traceparent, tracestate: 'a=b' }), undefined);
    });
  }

  for (const [what, tracestate, kept] of [
    ['as it was sent', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    ['joined when it came in parts', ['a=1', 'b=2'], 'a=1,b=2'],
    ['without fields that are not well formed', 'A=1,b=2,c,=3,d=\u0000', 'b=2'],
    ['not at all when nothing of it is well formed', 'no state', undefined],
    ['not at all when it is longer than others must take', `a=${'1'.repeat(511)}`, undefined],
    ['not at all when it is empty', '', undefined],
  ] as const) {
    it(`the state of other systems is kept ${what}`, () => {
      const parent = remoteParent({ traceparent: good, tracestate });
      assert.equal(parent?.traceState?.serialize(), kept);
    });
  }

  it('at most 32 entries of the state are kept', () => {
    const tracestate = Array.from({ length: 100 }, (_, at) => `k${at}=1`).join(',');
    const state = remoteParent({ traceparent: good, tracestate: tracestate.slice(0, 510) })?.traceState;
    assert.equal(state?.serialize().split(',').length, 32);
  });

  it('the state is propagated unchanged to other services', () => {
    const parent = remoteParent({ traceparent: good, tracestate: 'a=1' });
    assert.ok(parent !== undefined);
    assert.deepEqual(traceHeaders(parent), { traceparent: good, tracestate: 'a=1' });
  });
});
