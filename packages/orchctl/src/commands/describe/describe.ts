import { switchFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { allNamespacesFlag, fileFlags, selectorFlags } from '../../cli/flag-sets.ts';
import { forEachTarget } from '../write/for-each-target.ts';
import { describeObject } from './describe-object.ts';
import { findObjects } from './find-objects.ts';

const section = 'Flags';

export const describe = command({
  usage: 'describe (TYPE [NAME_PREFIX | -l SELECTOR] | TYPE/NAME... | -f FILE) [flags]',
  about:
    'Describes objects with what belongs to them: the pods of a controller, the endpoints of a service, events. Other kinds than the known ones are described by their fields.\n\nWithout an object of the given name, those whose names begin with it are described.',
  examples: [
    { comment: 'One object', line: 'orchctl describe namespace default' },
    { comment: 'All nodes', line: 'orchctl describe nodes' },
    { comment: 'Pods whose names begin with web', line: 'orchctl describe pods web' },
    { comment: 'By label, without events', line: 'orchctl describe pods -l app=web --show-events=false' },
    { comment: 'The objects of a file', line: 'orchctl describe -f pod.yaml' },
  ],
  flags: {
    ...allNamespacesFlag,
    ...fileFlags,
    selector: selectorFlags.selector,
    chunkSize: wholeFlag(
      {
        name: 'chunk-size',
        help: 'Read large lists in chunks of this many objects; 0 reads all at once.',
        section,
      },
      500,
      { least: 0, most: 1_000_000 },
    ),
    showEvents: switchFlag(
      { name: 'show-events', help: 'Also show events about the objects.', section },
      true,
    ),
  },
  async run(invocation) {
    const { flags, io, signal } = invocation;
    checkWords(invocation);
    const session = await invocation.session();
    const request = { flags, words: invocation.words, io, session, signal };
    const { objects, isPrefix, status } = await findObjects(request);
    let count = 0;
    const described = await forEachTarget(objects, io, async (object) => {
      const { showEvents, chunkSize } = flags;
      const text = await describeObject(object, { session, io, signal, showEvents, chunkSize });
      // Objects that are found by a prefix have a line behind them, others two between them.
      io.out.write(isPrefix ? `${text}\n` : `${count === 0 ? '' : '\n\n'}${text}`);
      count++;
    });
    if (objects.length === 0 && status === 0)
      io.err.write(`No resources found${flags.allNamespaces ? '' : ` in ${session.namespace} namespace.`}\n`);
    return status === 0 ? described : status;
  },
});

function checkWords({
  flags,
  words,
}: Pick<Invocation<{ filename: readonly string[] }>, 'flags' | 'words'>): void {
  if (words.length > 0 && flags.filename.length > 0)
    throw new UsageError('types and names cannot be given together with --filename');
  if (words.length === 0 && flags.filename.length === 0)
    throw new UsageError(
      'you must specify the type of resource to describe; run "orchctl api-resources" for a complete list of resources',
    );
}
