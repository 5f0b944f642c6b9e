import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { podCommands } from './pod-commands.ts';

const pod = (name: string, container: object): ApiObject =>
  ({ metadata: { namespace: 'web', name }, spec: { containers: [container] } }) as unknown as ApiObject;

describe('the commands for a pod', () => {
  it('the commands open a shell in each container, and each of its ports', () => {
    const commands = podCommands(pod('one', { name: 'c', ports: [{ containerPort: 80 }] }));
    assert.deepEqual(
      commands.map(({ command }) => command),
      [
        'orchctl exec --namespace=web one -it --container=c -- sh',
        'orchctl port-forward --namespace=web one :80',
      ],
    );
  });

  it('names of hostile servers run nothing in a shell', () => {
    const [shell] = podCommands(pod("a'; reboot\n\u001b[2K", { name: '$(reboot)' }));
    assert.equal(
      shell?.command,
      `orchctl exec --namespace=web 'a'\\''; reboot ^[[2K' -it '--container=$(reboot)' -- sh`,
    );
  });
});
