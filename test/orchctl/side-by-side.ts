import assert from 'node:assert/strict';
import type { CommandResult } from '@orch/orchctl/testing';

/**
 * The text of a program without the differences between two runs and programs: ages, the time of a restart, the name of
 * the program, and the creation time `null` that releases of kubectl before 1.34 print.
 */
export const comparable = (text: string): string =>
  text
    .replace(/(?<= )\d+(?:s|m|m\d+s)(?=\s) */g, 'AGE ')
    .replace(/(?<=restartedAt\W+)\d[\d:TZ-]+/g, 'TIME')
    .replace(/^( *)metadata:\n\1 {2}creationTimestamp: null\n(?!\1 {2})/gm, '$1metadata: {}\n')
    .replace(/"metadata": \{\s*"creationTimestamp": null\s*\}/g, '"metadata": {}')
    .replace(/^ *"?creationTimestamp"?: null,?\n/gm, '')
    .replaceAll('kubectl', 'orchctl')
    .replaceAll('Kubectl', 'Orchctl');

/** Asserts that orchctl and kubectl print the same for one command line; only the text of errors may differ. */
export function assertSame(own: CommandResult, other: CommandResult, map = comparable): void {
  assert.equal(map(own.out), map(other.out), `${own.err}\n${other.err}`);
  assert.equal(own.status === 0, other.status === 0, `${own.err}\n${other.err}`);
  if (other.status === 0) assert.equal(map(own.err), map(other.err));
}
