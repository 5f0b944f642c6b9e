import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StartError } from '@orch/program';
import { rotationIds } from './parts.ts';
import { type RotationRequest, type RotationStep, transitionFor } from './rotation-steps.ts';

const SINCE = '2026-01-01T00:00:00.000Z';
const HOUR_MS = 3_600_000;
const early = Date.parse(SINCE) + HOUR_MS - 1;
const late = Date.parse(SINCE) + HOUR_MS;

describe('the steps of a rotation', () => {
  for (const [step, request, now, expected] of [
    [undefined, 'rotate', early, 'prepare'],
    ['prepared', 'rotate', late, 'none'],
    ['switched', 'rotate', late, /is not finished: finish it with --rotate-finish=ID/],
    [undefined, 'rotate-switch', late, /there is no rotation: begin one with --rotate=ID/],
    ['prepared', 'rotate-switch', early, /again after 2026-01-01T01:00:00.000Z/],
    ['prepared', 'rotate-switch', late, 'switch'],
    ['switched', 'rotate-switch', early, 'none'],
    [undefined, 'rotate-finish', late, 'none'],
    ['prepared', 'rotate-finish', late, /first switch to it with --rotate-switch=ID/],
    ['switched', 'rotate-finish', early, /the step before was made at 2026-01-01T00:00:00.000Z: wait until/],
    ['switched', 'rotate-finish', late, 'finish'],
  ] as [RotationStep | undefined, RotationRequest, number, string | RegExp][])
    for (const id of rotationIds)
      it(`--${request}=${id} ${now === early ? 'before' : 'after'} the wait, when it is ${step ?? 'not rotated'}, leads to ${expected}`, () => {
        const rotation = step === undefined ? undefined : { step, since: SINCE, replaces: '' };
        const decide = () => transitionFor({ id, rotation, request, now, waitMs: HOUR_MS });
        if (typeof expected === 'string') assert.equal(decide(), expected);
        else
          assert.throws(
            decide,
            (error) =>
              error instanceof StartError &&
              new RegExp(expected.source.replace('ID', id)).test(error.message),
          );
      });
});
