import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { builtinTypes } from '../registry.ts';
import { FeatureGateError, gateAt, gateOptions, resolveFeatureGates } from './feature-gates.ts';
import {
  behaviourGates,
  collectiveGates,
  controllerGates,
  effectiveGates,
  fieldGates,
  gateHistory,
  roleGates,
  ruleGates,
} from './gate-table.ts';
import { defaultServerFeatures, serverFeatures } from './server-features.ts';
import { gatesOfDeclarations } from './testing/declared-gates.ts';
import { gates120 } from './testing/gates-1.20.ts';
import { gates136 } from './testing/gates-1.36.ts';
import { gates137 } from './testing/gates-1.37.ts';

const orch = namesFor('orch');
const resolve = (settings: readonly string[], release = '1.24', names = orch) =>
  resolveFeatureGates(settings, release, names);

describe('feature gates', () => {
  it('feature gates have in release 1.20 the stages and defaults that were observed', () => {
    for (const [name, stage, openByDefault] of gates120) {
      const { locked: _locked, ...gate } = gateAt(name, '1.20') ?? {};
      assert.deepEqual(gate, { stage, openByDefault }, name);
    }
  });

  for (const [release, gates] of [
    ['1.36', gates136],
    ['1.37', gates137],
  ] as const) {
    it(`feature gates that can be set in release ${release} are listed as a server of that release lists them`, () => {
      const listed = new Set(gateOptions(release, namesFor('kubernetes')));
      assert.deepEqual(
        gates.filter((option) => !listed.has(option)),
        [],
      );
    });
  }

  for (const [title, release, setting, problem] of [
    [
      'that is generally available but not locked can be disabled',
      '1.34',
      'DynamicResourceAllocation=false',
      undefined,
    ],
    [
      'that is locked later cannot be disabled',
      '1.35',
      'DynamicResourceAllocation=false',
      /cannot be disabled.*generally available/,
    ],
    ['that is deprecated can be enabled', '1.31', 'AllowDNSOnlyNodeCSR=true', undefined],
    [
      'that is deprecated and locked cannot be enabled',
      '1.36',
      'GitRepoVolumeDriver=true',
      /cannot be enabled: it is deprecated/,
    ],
  ] as const) {
    it(`a feature gate ${title}`, () => {
      const set = (): unknown => resolve([setting], release);
      if (problem === undefined) assert.doesNotThrow(set);
      else assert.throws(set, problem);
    });
  }

  it('feature gates are written in the syntax that is read, in order of releases', () => {
    for (const [name, history] of Object.entries(gateHistory)) {
      const steps = history.split(' ');
      const minors = steps.map((step) => Number(/^[ABGDX][+-]?[=~]?1\.(\d+)$/.exec(step)?.[1] ?? Number.NaN));
      assert.ok(
        minors.every((minor, i) => minor > (minors[i - 1] ?? -1)),
        `${name}: ${history}`,
      );
    }
  });

  for (const [title, release, expected] of [
    ['an alpha gate is closed', '1.16', { stage: 'alpha', openByDefault: false, locked: false }],
    ['a beta gate is open', '1.23', { stage: 'beta', openByDefault: true, locked: false }],
    [
      'a gate of something generally available is open',
      '1.25',
      { stage: 'ga', openByDefault: true, locked: true },
    ],
    ['a gate is gone after its deprecation', '1.27', undefined],
    ['a gate is not there before it came', '1.15', undefined],
  ] as const) {
    it(title, () => assert.deepEqual(gateAt('EphemeralContainers', release), expected));
  }

  it('feature gates open and close as they are set', () => {
    const { open, warnings } = resolve(['HPAContainerMetrics=true', ' TopologyAwareHints = false']);
    assert.ok(open.has('HPAContainerMetrics'));
    assert.ok(!open.has('TopologyAwareHints'));
    assert.deepEqual(warnings, []);
  });

  it('feature gates of one stage can be set together, and single ones otherwise', () => {
    const { open } = resolve(['AllAlpha=true', 'HPAScaleToZero=false', 'AllBeta=false']);
    assert.ok(open.has('ProcMountType'));
    assert.ok(!open.has('HPAScaleToZero'));
    assert.ok(!open.has('TopologyAwareHints'));
    assert.ok(open.has('ServerSideApply'), 'a gate that is generally available stays open');
  });

  it('feature gates that are non-operational cannot be disabled, and warn when they are named', () => {
    assert.throws(
      () => resolve(['ServerSideApply=false']),
      /ServerSideApply cannot be disabled.*non-operational/,
    );
    const { warnings, open } = resolve(['ServerSideApply=true']);
    assert.ok(open.has('ServerSideApply'));
    assert.match(warnings.join(), /deprecated and non-operational/);
  });

  it('feature gates that are deprecated still work, and warn', () => {
    const { warnings, open } = resolve(['DynamicNodeagentConfig=true']);
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
    it(`feature gates reject the setting ${setting}`, () =>
      assert.throws(
        () => resolve([setting]),
        (error) => error instanceof FeatureGateError && problem.test(error.message),
      ));
  }

  it('feature gates close what the release opens by default', () => {
    const { closed } = resolve(['JobReadyPods=false', 'HPAScaleToZero=false'], '1.24');
    assert.deepEqual([...closed], ['JobReadyPods']);
    assert.deepEqual([...resolve([]).closed], []);
  });

  it('feature gates that nothing here depends on are named in one warning when they are set', () => {
    const idle = resolve(['WinDSR=true', 'JobReadyPods=false', 'CPUManager=false']).warnings;
    assert.deepEqual(idle, ['feature gates without effect here: WinDSR, CPUManager']);
    assert.deepEqual(resolve(['JobReadyPods=false', 'AllAlpha=true']).warnings, []);
  });

  it('feature gates are listed for help in order, with stage and default, when they can be set', () => {
    const options = gateOptions('1.24', orch);
    assert.deepEqual(options, [...options].sort());
    assert.ok(options.includes('APIListChunking=true|false (BETA - default=true)'));
    assert.ok(options.includes('AllBeta=true|false (BETA - default=false)'));
    assert.ok(options.includes('HPAScaleToZero=true|false (ALPHA - default=false)'));
    assert.ok(
      !options.some((option) => option.startsWith('ServerSideApply=')),
      'gates that are locked to their default are not listed',
    );
    assert.ok(
      gateOptions('1.24', namesFor('kubernetes')).some((one) => one.startsWith('KubeletPodResources=')),
    );
  });

  it('each feature gate with an effect is declared once, and exists in some release', () => {
    const groups = [fieldGates, ruleGates, roleGates, behaviourGates, controllerGates, collectiveGates];
    const declared = groups.flat();
    for (const name of declared) assert.ok(name in gateHistory, name);
    for (const part of groups) {
      assert.equal(new Set(part).size, part.length);
    }
    assert.deepEqual([...new Set(declared)].sort(), [...effectiveGates].sort());
  });

  it('the feature gates of fields match those that declarations of kinds name', () => {
    assert.deepEqual([...gatesOfDeclarations(builtinTypes)].sort(), [...fieldGates].sort());
  });

  for (const [title, release, settings, expected] of [
    [
      'follow the release',
      '1.24',
      [],
      ['listChunking', 'listedValues', 'priorityAndFairness', 'remainingItemCount', 'responseCompression'],
    ],
    ['are few in 1.15', '1.15', [], ['listChunking']],
    [
      'include field validation from 1.25 on',
      '1.25',
      [],
      [
        ...['fieldValidation', 'listChunking', 'listedValues', 'priorityAndFairness', 'remainingItemCount'],
        'responseCompression',
      ],
    ],
    [
      'remain when the gates of generally available ones are gone',
      '1.36',
      [],
      [
        ...['certificateUids', 'externalTokenSigner', 'fieldValidation', 'listChunking', 'listedValues'],
        ...['nodeTokenChecks', 'nodeTokens', 'podNodesInTokens', 'priorityAndFairness', 'remainingItemCount'],
        ...['remoteUids', 'removedBetaDiscovery', 'responseCompression', 'tokenIds', 'tokenRequestUidChecks'],
      ],
    ],
    ['go with their gate', '1.15', ['APIListChunking=false'], []],
    [
      'come with their gate',
      '1.24',
      ['AllBeta=false', 'ServerSideFieldValidation=true'],
      ['fieldValidation'],
    ],
  ] as const) {
    it(`feature gates of server functions ${title}`, () => {
      const features = serverFeatures(resolve(settings, release));
      const on = Object.entries(features).flatMap(([name, isOn]) => (isOn ? name : []));
      assert.deepEqual(on.sort(), expected);
      if (settings.length === 0) assert.deepEqual(features, defaultServerFeatures(release));
    });
  }

  it('a feature gate that was renamed is set by its name in the release', () => {
    for (const [release, name, other] of [
      ['1.27', 'UserNamespacesStatelessPodsSupport', 'UserNamespacesSupport'],
      ['1.28', 'UserNamespacesSupport', 'UserNamespacesStatelessPodsSupport'],
    ] as const) {
      assert.ok(resolve([`${name}=true`], release).open.has('UserNamespacesSupport'), name);
      assert.throws(() => resolve([`${other}=true`], release), FeatureGateError);
    }
  });

  it('feature gates have the names of the naming', () => {
    const names = namesFor('kubernetes');
    assert.throws(() => resolve(['DynamicNodeagentConfig=true'], '1.20', names), FeatureGateError);
    assert.ok(resolve(['DynamicKubeletConfig=true'], '1.20', names).open.has('DynamicNodeagentConfig'));
  });
});
