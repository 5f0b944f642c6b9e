import { choiceFlag, switchFlag, textFlag, wholeFlag } from '@orch/program/flags';
import { generator, newMetadata, section } from './generator.ts';

const MAX_INT32 = 2 ** 31 - 1;

export const priorityClass = generator({
  usage: 'priorityclass NAME --value=VALUE [--global-default] [flags]',
  about: 'Creates a priority class.',
  examples: [
    {
      comment: 'A class',
      line: "orchctl create priorityclass high --value=1000 --description='what matters'",
    },
  ],
  flags: {
    value: wholeFlag({ name: 'value', help: 'The priority.', section }, 0, {
      least: -MAX_INT32,
      most: MAX_INT32,
    }),
    globalDefault: switchFlag({ name: 'global-default', help: 'The class of pods without one.', section }),
    description: textFlag({ name: 'description', help: 'When the class should be used.', section }),
    preemptionPolicy: choiceFlag(
      {
        name: 'preemption-policy',
        help: 'Whether pods of lower priority are evicted for pods of the class.',
        section,
      },
      ['PreemptLowerPriority', 'Never'],
      'PreemptLowerPriority',
    ),
  },
  isNamespaced: false,
  async build({ name, flags, names }) {
    const { value, globalDefault, description, preemptionPolicy } = flags;
    return {
      apiVersion: (await names()).apiVersion('scheduling', 'v1'),
      ...{ kind: 'PriorityClass', metadata: newMetadata(name), preemptionPolicy, value },
      ...(description !== '' && { description }),
      ...(globalDefault && { globalDefault }),
    };
  },
});
