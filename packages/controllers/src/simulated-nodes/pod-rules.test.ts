import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podWith } from '../testing/workloads.ts';
import { matches, momentOf, type Outcome, outcomeOf, type PodRules } from './pod-rules.ts';

const rules: PodRules = {
  readyAfterMs: 20,
  succeedAfterMs: 50,
  restartAfterMs: 100,
  endAfterMs: 0,
  fail: [],
};
const run: Outcome = { kind: 'run' };
const success: Outcome = { kind: 'succeed', atMs: 70 };
const failure = (atMs: number): Outcome => ({ kind: 'fail', atMs, exitCode: 1 });

describe('the state of a started pod', () => {
  for (const [outcome, passedMs, restarts, isRestarted, expected] of [
    [run, 0, 0, true, { state: 'starting', untilMs: 20 }],
    [run, 20, 0, true, { state: 'ready' }],
    [success, 30, 0, false, { state: 'ready', untilMs: 40 }],
    [success, 70, 0, false, { state: 'succeeded' }],
    [failure(5), 1, 0, true, { state: 'starting', untilMs: 4 }],
    [failure(60), 30, 0, true, { state: 'ready', untilMs: 30 }],
    [failure(60), 60, 0, false, { state: 'failed' }],
    [failure(60), 60, 0, true, { state: 'waiting', untilMs: 100 }],
    [failure(60), 60, 2, true, { state: 'waiting', untilMs: 400 }],
    [failure(60), 60, 60, true, { state: 'waiting', untilMs: 300_000 }],
    [failure(60), 160, 0, true, { state: 'restart' }],
  ] as const)
    it(`a pod that will ${outcome.kind} is in the state ${expected.state} after ${passedMs} ms and ${restarts} restarts`, () =>
      assert.deepEqual(momentOf(outcome, rules, { passedMs, restarts, isRestarted }), expected));
});

describe('the rules for failing pods', () => {
  for (const [pods, name, expected] of [
    ['web', 'web', true],
    ['web', 'web-1', false],
    ['web-*', 'web-1', true],
    ['*', 'web-1', true],
    ['w*b*1', 'web-1', true],
    ['w*-1*1', 'web-1', false],
    ['*b-*', 'web-1', true],
    [{ app: 'web' }, 'x', true],
    [{ app: 'db' }, 'x', false],
  ] as const)
    it(`the rule ${JSON.stringify(pods)} ${expected ? 'applies' : 'does not apply'} to the pod ${name}`, () =>
      assert.equal(matches({ pods }, podWith(name)), expected));

  it('the first rule that matches and is not used up decides', () => {
    const first = { pods: 'web', times: 1, exitCode: 3 };
    const second = { pods: 'w*', afterMs: 5 };
    const used = new Set<unknown>();
    const use = (rule: unknown): boolean => rule !== first || !used.has(rule);
    const given = { ...rules, fail: [first, second] };
    assert.deepEqual(outcomeOf(podWith('web'), given, use), { kind: 'fail', atMs: 20, exitCode: 3 });
    used.add(first);
    assert.deepEqual(outcomeOf(podWith('web'), given, use), { kind: 'fail', atMs: 5, exitCode: 1 });
  });

  it('a pod that is not restarted when it succeeds ends by itself', () => {
    const job = { ...podWith('job'), spec: { containers: [], restartPolicy: 'OnFailure' } };
    const isUsable = (): boolean => true;
    assert.deepEqual(outcomeOf(job, rules, isUsable), success);
    assert.deepEqual(outcomeOf(podWith('web'), rules, isUsable), run);
  });
});
