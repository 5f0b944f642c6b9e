import type { ApiObject } from '@orch/machinery';
import { labelValue, qualifiedName } from '@orch/machinery/formats';
import { asText, specOf } from '@orch/machinery/json';
import { textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import { section, setFlags, setOnTargets, splitAssignments } from './set-command.ts';

export const selector = command({
  usage: 'set selector (service NAME | service/NAME | -f FILE) KEY=VALUE[,KEY=VALUE...] [flags]',
  about: 'Sets the selector of services; the earlier one is replaced.',
  examples: [{ comment: 'A service', line: 'orchctl set selector service/web app=web,tier=front' }],
  flags: {
    ...setFlags,
    resourceVersion: textFlag({
      name: 'resource-version',
      help: 'Refuse the write when the object has another resourceVersion.',
      section,
    }),
  },
  run(invocation) {
    const { objects, assignments } = splitAssignments(invocation.words);
    const labels = labelsOf(assignments);
    const { resourceVersion } = invocation.flags;
    return setOnTargets(invocation, {
      done: 'selector updated',
      words: objects,
      reportsUnchanged: true,
      change(object, { resource }) {
        if (resource.kind !== 'Service')
          throw new CommandError('setting a selector is only supported for Services');
        const current = asText(object.metadata.resourceVersion);
        if (resourceVersion !== '' && current !== resourceVersion)
          throw new CommandError(`the resourceVersion is ${current}, not ${resourceVersion}`);
        return { ...object, spec: { ...specOf(object), selector: labels } } as ApiObject;
      },
    });
  },
});

function labelsOf(assignments: readonly string[]): Record<string, string> {
  const pairs = assignments
    .flatMap((text) => text.split(','))
    .map((text): [string, string] => {
      const [key = '', value, ...more] = text.split('=');
      if (value === undefined || more.length > 0 || (qualifiedName(key) ?? labelValue(value)) !== undefined)
        throw new UsageError(`invalid selector ${JSON.stringify(text)}; it must be KEY=VALUE`);
      return [key, value];
    });
  if (pairs.length === 0) throw new UsageError('one selector is required: KEY=VALUE');
  return Object.fromEntries(pairs);
}
