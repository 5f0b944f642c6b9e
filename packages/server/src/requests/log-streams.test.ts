import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldServedIn } from '@orch/apis';
import { logStreamsOf } from './log-streams.ts';

const gate = new Set(['PodLogsQuerySplitStreams']);

describe('the selection of a stream of a log', () => {
  for (const [release, open, expected] of [
    ['1.24', new Set<string>(), 'ignored'],
    ['1.31', gate, 'ignored'],
    ['1.32', new Set<string>(), 'forbidden'],
    ['1.37', new Set<string>(), 'forbidden'],
    ['1.32', gate, 'selectable'],
    ['1.37', gate, 'selectable'],
  ] as const)
    it(`streams of logs are ${expected} in release ${release} ${open.size > 0 ? 'with' : 'without'} the feature gate`, () => {
      assert.equal(logStreamsOf(release, fieldServedIn(release, open)), expected);
    });
});
