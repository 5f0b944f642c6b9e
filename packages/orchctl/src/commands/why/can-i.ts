import { asObject, asText, type JsonObject } from '@orch/machinery/json';
import { listFlag, textFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { allNamespacesFlag } from '../../cli/flag-sets.ts';
import { accessOf } from '../auth/can-i.ts';
import { answerOutput, printAnswer } from './answer-output.ts';
import { ask } from './ask.ts';
import { causesText } from './cause-text.ts';

const section = 'Flags';

export const whyCanI = command({
  usage: 'why can-i VERB (TYPE | TYPE/NAME | TYPE NAME | URL) [flags]',
  about:
    'Explains why an action is allowed or refused: the decision of each authorizer, the rules that allow the action or come close, and who may grant what is missing. The exit status of a refused action is 1. Roles and bindings have names only for users who may read them.\n\nThe permissions of another user are explained with the impersonation flags, or with --for-user to users that may create SubjectAccessReviews.',
  examples: [
    { comment: 'Your own permission', line: 'orchctl why can-i create configmaps' },
    { comment: 'For one object', line: 'orchctl why can-i get configmap settings' },
    { comment: 'A URL', line: 'orchctl why can-i get /version' },
    {
      comment: 'Another user',
      line: 'orchctl why can-i list pods --for-user=root --for-group=system:masters',
    },
  ],
  flags: {
    ...answerOutput,
    ...allNamespacesFlag,
    subresource: textFlag({ name: 'subresource', help: 'A subresource such as log or scale.', section }),
    forUser: textFlag({ name: 'for-user', help: 'The user whose permission is explained.', section }),
    forGroups: listFlag({ name: 'for-group', help: 'A group of that user; may be repeated.', section }),
  },
  async run({ flags, words, io, session: open, signal }) {
    const session = await open();
    const spec = await accessOf({ flags, words, io }, session);
    const question = questionOf(spec);
    const answer = await ask(session, 'access', {
      question: { ...question, user: flags.forUser },
      groups: flags.forGroups,
      signal,
    });
    const isAllowed = answer['allowed'] === true;
    printAnswer(io, {
      output: flags.output,
      answer,
      text: () => `${isAllowed ? 'yes' : 'no'}\n${causesText(answer, '  ')}`,
    });
    return isAllowed ? 0 : 1;
  },
});

/** The parameters of the attributes of a review. */
const questionOf = ({
  resourceAttributes,
  nonResourceAttributes,
}: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...asObject(resourceAttributes), ...asObject(nonResourceAttributes) }).map(
      ([name, value]) => [name, asText(value)],
    ),
  );
