import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { typesAt } from '../../lifecycle.ts';
import { setPath } from '../../testing/set-path.ts';
import { writePath } from '../../testing/write-path.ts';
import { podSecurityPolicies as type } from './index.ts';

const path = writePath();
const any = { rule: 'RunAsAny' };

function create(set: Readonly<Record<string, unknown>>): string[] {
  const input = cloneJson({
    metadata: { name: 'x' },
    spec: { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any },
  });
  for (const [at, value] of Object.entries(set)) setPath(input, `spec.${at}`, value);
  return path
    .create(type, input)
    .errors.map(({ type: reason, field }) => `${reason.slice('FieldValue'.length)} ${field}`);
}

const rows: readonly (readonly [
  title: string,
  set: Readonly<Record<string, unknown>>,
  errors: readonly string[],
])[] = [
  ['nothing beyond the four strategies', {}, []],
  [
    'an unknown rule, and none',
    {
      'seLinux.rule': 'X',
      'runAsUser.rule': 'MayRunAs',
      'runAsGroup.rule': 'MustRunAsNonRoot',
      fsGroup: {},
    },
    [
      'NotSupported spec.seLinux.rule',
      'NotSupported spec.runAsUser.rule',
      'NotSupported spec.runAsGroup.rule',
      'NotSupported spec.fsGroup.rule',
    ],
  ],
  [
    'ranges below zero or upside down',
    {
      fsGroup: {
        rule: 'MustRunAs',
        ranges: [
          { min: -1, max: 5 },
          { min: 6, max: 5 },
          { min: 5, max: 5 },
        ],
      },
    },
    ['Invalid spec.fsGroup.ranges[0].min', 'Invalid spec.fsGroup.ranges[1].min'],
  ],
  ['all volumes', { volumes: ['*'] }, []],
  ['an unknown kind of volume', { volumes: ['configMap', 'x'] }, ['NotSupported spec.volumes']],
  [
    'capabilities that are taken and given',
    {
      requiredDropCapabilities: ['KILL'],
      defaultAddCapabilities: ['KILL'],
      allowedCapabilities: ['KILL', 'CHOWN'],
    },
    ['Invalid spec.defaultAddCapabilities', 'Invalid spec.allowedCapabilities'],
  ],
  [
    'capabilities that are taken while all are allowed',
    { requiredDropCapabilities: ['KILL'], allowedCapabilities: ['*'] },
    ['Invalid spec.requiredDropCapabilities'],
  ],
  [
    'escalation by default that is not allowed',
    { allowPrivilegeEscalation: false, defaultAllowPrivilegeEscalation: true },
    ['Invalid spec.defaultAllowPrivilegeEscalation'],
  ],
  [
    'host paths without a prefix or upwards',
    { allowedHostPaths: [{ pathPrefix: '/a/../b' }, { pathPrefix: '/a', readOnly: true }, {}, {}] },
    ['Invalid spec.allowedHostPaths[0]', 'Required spec.allowedHostPaths[2]'],
  ],
  [
    'drivers without a proper name',
    { allowedFlexVolumes: [{}], allowedCSIDrivers: [{}, { name: 'A_' }] },
    [
      'Required spec.allowedFlexVolumes.allowedFlexVolumes[0].driver',
      'Required spec.allowedCSIDrivers.allowedCSIDriver[0].name',
      'Invalid spec.allowedCSIDrivers.allowedCSIDriver[1].name',
    ],
  ],
  [
    'kernel parameters that are allowed and forbidden',
    { allowedUnsafeSysctls: ['net.*', 'kernel.msgmax'], forbiddenSysctls: ['net.core.somaxconn'] },
    ['Invalid spec.allowedUnsafeSysctls[0]'],
  ],
  [
    'kernel parameters that are none',
    { allowedUnsafeSysctls: ['A/b', '*'], forbiddenSysctls: ['a*b'] },
    [
      'Invalid spec.allowedUnsafeSysctls[0]',
      'Invalid spec.forbiddenSysctls[0]',
      'Invalid spec.allowedUnsafeSysctls[1]',
    ],
  ],
  [
    'ways to mount proc that there are not',
    { allowedProcMountTypes: ['Default', 'X'] },
    ['NotSupported spec.allowedProcMountTypes[1]'],
  ],
  [
    'runtime classes beside all of them',
    { runtimeClass: { allowedRuntimeClassNames: ['*', 'a'] } },
    ['Invalid spec.runtimeClass.allowedRuntimeClassNames'],
  ],
  [
    'a runtime class by default that is not allowed',
    { runtimeClass: { allowedRuntimeClassNames: ['A_'], defaultRuntimeClassName: 'b' } },
    [
      'Invalid spec.runtimeClass.allowedRuntimeClassNames[0]',
      'Required spec.runtimeClass.allowedRuntimeClassNames',
    ],
  ],
];

describe('pod security policies with', () => {
  for (const [title, set, errors] of rows) it(title, () => assert.deepEqual(create(set), errors));
});

describe('pod security policies', () => {
  it('pod security policies are served until 1.24, by the older group until 1.15', () => {
    const served = (release: string): unknown =>
      typesAt(release, [type]).flatMap((definition) =>
        definition.served.map(({ group = 'policy' }) => group),
      );
    assert.deepEqual(
      [served('1.15'), served('1.16'), served('1.24'), served('1.25')],
      [['policy', 'extensions'], ['policy'], ['policy'], []],
    );
  });

  it('pod security policies are shown with what they allow', () => {
    const spec = {
      privileged: true,
      allowedCapabilities: ['A', 'B'],
      seLinux: any,
      runAsUser: { rule: 'MustRunAs' },
      fsGroup: any,
      supplementalGroups: { rule: 'MayRunAs' },
      volumes: ['*'],
    };
    const cells = type.table?.cells({ metadata: { name: 'x' }, spec }, namesFor('orch'));
    assert.deepEqual(cells, [
      'x',
      'true',
      'A,B',
      'RunAsAny',
      'MustRunAs',
      'RunAsAny',
      'MayRunAs',
      false,
      '*',
    ]);
  });
});
