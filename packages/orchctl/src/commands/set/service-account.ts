import { UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { podSpecOf, setFlags, setOnTargets, withPodSpec } from './set-command.ts';

export const serviceAccount = command({
  usage: 'set serviceaccount (TYPE NAME | TYPE/NAME | -f FILE) SERVICE_ACCOUNT [flags]',
  about: 'Sets the service account of the pods of workloads.',
  examples: [{ comment: 'A deployment', line: 'orchctl set serviceaccount deployment/web reader' }],
  flags: setFlags,
  run(invocation) {
    const account = invocation.words.at(-1);
    if (account === undefined) throw new UsageError('serviceaccount is required');
    return setOnTargets(invocation, {
      done: 'serviceaccount updated',
      words: invocation.words.slice(0, -1),
      reportsUnchanged: true,
      change(object, target) {
        // The older field has the same meaning; the server keeps both equal.
        const { serviceAccount: _, ...spec } = podSpecOf(object, target);
        return withPodSpec(object, target, { ...spec, serviceAccount: account, serviceAccountName: account });
      },
    });
  },
});
