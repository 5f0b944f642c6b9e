import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { FeatureGateError, gateAt, settleFeatureGates } from './feature-gates.ts';
import { gateHistory } from './gate-table.ts';
import { gates120 } from './testing/gates-1.20.ts';

const orch = namesFor('orch');
const settle = (settings: readonly string[], release = '1.24', names = orch) =>
  settleFeatureGates(settings, release, names);

describe('feature gates', () => {
  it('have in release 1.20 the stages and defaults that were observed', () => {
    for (const [name, stage, openByDefault] of gates120) {
      assert.deepEqual(gateAt(name, '1.20'), { stage, openByDefault }, name);
    }
  });

  it('are written in the form that is read, in order of releases', () => {
    for (const [name, history] of Object.entries(gateHistory)) {
      const steps = history.split(' ');
      const minors = steps.map((step) => Number(/^[ABGDX][+-]?1\.(\d+)$/.exec(step)?.[1] ?? Number.NaN));
      assert.ok(
        minors.every((minor, i) => minor > (minors[i - 1] ?? -1)),
        `${name}: ${history}`,
      );
    }
  });

  for (const [title, release, expected] of [
    ['an alpha gate is closed', '1.16', { stage: 'alpha', openByDefault: false }],
    ['a beta gate is open', '1.23', { stage: 'beta', openByDefault: true }],
    ['a gate of something generally available is open', '1.25', { stage: 'ga', openByDefault: true }],
    ['a gate is gone after its deprecation', '1.27', undefined],
    ['a gate is not there before it came', '1.15', undefined],
  ] as const) {
    it(title, () => assert.deepEqual(gateAt('EphemeralContainers', release), expected));
  }

  it('open and close as they are set', () => {
    const { open, warnings } = settle(['HPAScaleToZero=true', ' TopologyAwareHints = false']);
    assert.ok(open.has('HPAScaleToZero'));
    assert.ok(!open.has('TopologyAwareHints'));
    assert.deepEqual(warnings, []);
  });

  it('of one stage can be set together, and single ones otherwise', () => {
    const { open } = settle(['AllAlpha=true', 'HPAScaleToZero=false', 'AllBeta=false']);
    assert.ok(open.has('ProcMountType'));
    assert.ok(!open.has('HPAScaleToZero'));
    assert.ok(!open.has('TopologyAwareHints'));
    assert.ok(open.has('ServerSideApply'), 'a gate that is generally available stays open');
  });

  it('that are non-operational cannot be disabled, and warn when they are named', () => {
    assert.throws(
      () => settle(['ServerSideApply=false']),
      /ServerSideApply cannot be disabled.*non-operational/,
    );
    const { warnings, open } = settle(['ServerSideApply=true']);
    assert.ok(open.has('ServerSideApply'));
    assert.match(warnings.join(), /deprecated and non-operational/);
  });

  it('that are deprecated still work, and warn', () => {
    const { warnings, open } = settle(['DynamicNodeagentConfig=true']);
    assert.ok(open.has('DynamicNodeagentConfig'));
    assert.match(warnings.join(), /deprecated, still operational/);
  });

  for (const [setting, problem] of [
    ['NoSuchGate=true', /unknown feature gate "NoSuchGate" in release 1\.24/],
    ['Sysctls=true', /unknown feature gate "Sysctls"/],
    ['HPAScaleToZero', /missing value/],
    ['HPAScaleToZero=maybe', /must be true or false/],
    ['toString=true', /unknown feature gate/],
  ] as const) {
    it(`refuse ${setting}`, () =>
      assert.throws(
        () => settle([setting]),
        (error) => error instanceof FeatureGateError && problem.test(error.message),
      ));
  }

  it('go by the name of the naming', () => {
    const names = namesFor('kubernetes');
    assert.throws(() => settle(['DynamicNodeagentConfig=true'], '1.20', names), FeatureGateError);
    assert.ok(settle(['DynamicKubeletConfig=true'], '1.20', names).open.has('DynamicNodeagentConfig'));
  });
});
