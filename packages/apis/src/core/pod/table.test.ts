import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { podTable, podTableWithCount } from './table.ts';
import { podState } from './table-state.ts';

const names = namesFor('orch');

type Status = Readonly<Record<string, unknown>>;

const running = (restarts = 0, ready = true): Status => ({
  name: 'c',
  ready,
  restartCount: restarts,
  state: { running: { startedAt: null } },
});
const waiting = (reason: string, restarts = 0): Status => ({
  restartCount: restarts,
  state: { waiting: { reason } },
});
const ended = (end: Status, restarts = 0): Status => ({ restartCount: restarts, state: { terminated: end } });
const restarted = (at: string, restarts: number): Status => ({
  ...running(restarts),
  lastState: { terminated: { finishedAt: at } },
});

const pod = (status: Status, rest: Partial<ApiObject> = {}): ApiObject => ({
  metadata: { name: 'p', creationTimestamp: '2024-01-01T00:00:00Z' },
  spec: { containers: [{ name: 'a' }, { name: 'b' }], initContainers: [{ name: 'i' }, { name: 'j' }] },
  status,
  ...rest,
});
const deleted = { metadata: { name: 'p', deletionTimestamp: '2024-01-01T00:00:00Z' } };

describe('the state of a pod', () => {
  for (const [title, status, expected, rest] of [
    ['is its phase', { phase: 'Pending' }, ['Pending', 0, 0]],
    ['is its reason where it has one', { phase: 'Failed', reason: 'Evicted' }, ['Evicted', 0, 0]],
    [
      'counts ready containers',
      { phase: 'Running', containerStatuses: [running(), running(2)] },
      ['Running', 2, 2],
    ],
    [
      'does not count those that are not',
      { phase: 'Running', containerStatuses: [running(), running(0, false)] },
      ['Running', 1, 0],
    ],
    [
      'is why the first container waits',
      { phase: 'Pending', containerStatuses: [waiting('ErrImagePull'), waiting('ContainerCreating')] },
      ['ErrImagePull', 0, 0],
    ],
    [
      'is why a container crashed',
      { phase: 'Running', containerStatuses: [running(), waiting('CrashLoopBackOff', 7)] },
      ['CrashLoopBackOff', 1, 7],
    ],
    [
      'is why a container ended',
      { phase: 'Running', containerStatuses: [ended({ reason: 'OOMKilled', exitCode: 137 }), running()] },
      ['OOMKilled', 1, 0],
    ],
    [
      'is the signal that ended a container',
      { phase: 'Failed', containerStatuses: [ended({ signal: 9, exitCode: 137 })] },
      ['Signal:9', 0, 0],
    ],
    [
      'is the exit status of a container',
      { phase: 'Failed', containerStatuses: [ended({ exitCode: 3 })] },
      ['ExitCode:3', 0, 0],
    ],
    [
      'is Running when one is done and the pod is ready',
      {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [ended({ reason: 'Completed' }), running()],
      },
      ['Running', 1, 0],
    ],
    [
      'is NotReady when one is done and the pod is not ready',
      { phase: 'Running', containerStatuses: [ended({ reason: 'Completed' }), running()] },
      ['NotReady', 1, 0],
    ],
    [
      'is Completed when all are done',
      { phase: 'Succeeded', containerStatuses: [ended({ reason: 'Completed' })] },
      ['Completed', 0, 0],
    ],
    [
      'tells how far initialization is',
      { phase: 'Pending', initContainerStatuses: [ended({ exitCode: 0 }), running()] },
      ['Init:1/2', 0, 0],
    ],
    [
      'takes an initializing pod as waiting',
      { phase: 'Pending', initContainerStatuses: [waiting('PodInitializing')] },
      ['Init:0/2', 0, 0],
    ],
    [
      'tells why initialization waits',
      { phase: 'Pending', initContainerStatuses: [waiting('CrashLoopBackOff', 4)] },
      ['Init:CrashLoopBackOff', 0, 4],
    ],
    [
      'tells why initialization failed',
      { phase: 'Failed', initContainerStatuses: [ended({ reason: 'Error', exitCode: 1 })] },
      ['Init:Error', 0, 0],
    ],
    [
      'tells its signal',
      { phase: 'Failed', initContainerStatuses: [ended({ signal: 15, exitCode: 143 })] },
      ['Init:Signal:15', 0, 0],
    ],
    [
      'tells its exit status',
      { phase: 'Failed', initContainerStatuses: [ended({ exitCode: 2 })] },
      ['Init:ExitCode:2', 0, 0],
    ],
    [
      'forgets restarts of init containers once they are done',
      {
        phase: 'Running',
        initContainerStatuses: [ended({ exitCode: 0 }, 5), ended({ exitCode: 0 })],
        containerStatuses: [running(1)],
      },
      ['Running', 1, 1],
    ],
    [
      'is Terminating once it is being deleted',
      { phase: 'Running', containerStatuses: [running()] },
      ['Terminating', 1, 0],
      deleted,
    ],
    [
      'is Unknown when its node is lost meanwhile',
      { phase: 'Running', reason: 'NodeLost' },
      ['Unknown', 0, 0],
      deleted,
    ],
  ] as const) {
    it(title, () => {
      const { text, readyContainers, restarts } = podState(pod(status, rest));
      assert.deepEqual([text, readyContainers, restarts], expected);
    });
  }
});

describe('the row of a pod', () => {
  it('the row of a pod has a cell for every column', () => {
    const row = pod({
      phase: 'Running',
      podIPs: [{ ip: '10.1.2.3' }, { ip: '::1' }],
      containerStatuses: [running(), running()],
    });
    row['spec'] = {
      ...(row['spec'] as object),
      nodeName: 'n1',
      readinessGates: [{ conditionType: 'a.b/x' }],
    };
    assert.deepEqual(podTable.cells(row, names), [
      'p',
      '2/2',
      'Running',
      '0',
      { age: '2024-01-01T00:00:00Z' },
      '10.1.2.3',
      'n1',
      '<none>',
      '0/1',
    ]);
  });

  it('the row of a pod shows when a container was restarted last', () => {
    const status = {
      phase: 'Running',
      containerStatuses: [restarted('2024-01-01T00:00:00Z', 2), restarted('2024-01-02T00:00:00Z', 1)],
    };
    assert.deepEqual(podTable.cells(pod(status), names)[3], {
      age: '2024-01-02T00:00:00Z',
      prefix: '3 (',
      suffix: ' ago)',
    });
    assert.equal(podTableWithCount.cells(pod(status), names)[3], 3);
  });

  it('the row of a pod marks pods that have ended', () => {
    assert.deepEqual(podTable.conditions?.(pod({ phase: 'Running' })), []);
    for (const phase of ['Succeeded', 'Failed']) {
      const marks: readonly { type: string; status: string; reason: string }[] =
        podTable.conditions?.(pod({ phase })) ?? [];
      const condition = marks[0];
      assert.deepEqual([condition?.type, condition?.status, condition?.reason], ['Completed', 'True', phase]);
    }
  });

  it('a pod without a status has a complete row', () => {
    assert.equal(podTable.cells({ metadata: {} }, names).length, podTable.columns.length);
  });
});
