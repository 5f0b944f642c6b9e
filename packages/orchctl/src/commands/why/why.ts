import { asText, jsonText } from '@orch/machinery/json';
import { textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { readTargets, targetName } from '../../resources/targets.ts';
import { answerOutput, printAnswer } from './answer-output.ts';
import { ask } from './ask.ts';
import { causesText } from './cause-text.ts';

const section = 'Flags';

export const why = command({
  usage: 'why (TYPE NAME | TYPE/NAME) [--field=PATH] [flags]',
  about:
    'Explains why an object is still there: finalizers, owners, dependents, admission webhooks that may refuse its deletion, the content and conditions of namespaces, and who may resolve each. With --field it explains why a field has its value: its manager, the time, and the request that wrote it.\n\nThe explanation contains only what you may read.',
  examples: [
    { comment: 'Why a config map is still there', line: 'orchctl why configmap settings' },
    { comment: 'Why a field has its value', line: 'orchctl why configmap settings --field=.data.colour' },
    { comment: 'Why a namespace does not go away', line: 'orchctl why namespace default -o yaml' },
  ],
  flags: {
    ...answerOutput,
    field: textFlag({
      name: 'field',
      help: 'A field of the object, such as .spec.replicas, .metadata.labels["a.b/c"] or .spec.containers[name=web].image.',
      section,
    }),
  },
  async run({ flags, words, io, session: open, signal }) {
    const session = await open();
    const targets = await readTargets({
      flags: { filename: [], recursive: false },
      words,
      io,
      session,
      signal,
    });
    const [target] = targets;
    if (target === undefined || targets.length > 1)
      throw new UsageError('exactly one object is required, such as: orchctl why pod web');
    const { resource, name, namespace = '' } = target;
    const place = { group: resource.group, resource: resource.resource, namespace, name };
    const answer = await ask(session, 'object', { question: { ...place, field: flags.field }, signal });
    printAnswer(io, {
      output: flags.output,
      answer,
      text: () => {
        const title = targetName(target);
        const value = answer['value'] === undefined ? 'absent' : jsonText(answer['value']);
        const head = flags.field === '' ? `${title}\n` : `${title} ${asText(flags.field)}: ${value}\n`;
        return `${head}${causesText(answer, '  ')}`;
      },
    });
    return 0;
  },
});
