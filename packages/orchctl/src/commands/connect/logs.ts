import type { Names } from '@orch/machinery';
import { UsageError } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import { containerNames, containerOf } from './containers.ts';
import { type LogFlags, logFlags, logQuery } from './log-flags.ts';
import { objectOf, type Pod, type PodRequest, podsOf, podsSelected } from './pods.ts';
import { type LogSource, printLog } from './print-log.ts';

export const logs = command({
  usage: 'logs (POD | TYPE/NAME | -l SELECTOR) [-c CONTAINER] [flags]',
  about:
    'Prints the logs of containers. With a workload, one of its pods is chosen, or all of them with --all-pods.\n\nSeveral logs are printed one after the other, or line by line as they arrive with --follow.',
  examples: [
    { comment: 'The log of a pod', line: 'orchctl logs web' },
    { comment: 'Its last lines, and further ones', line: 'orchctl logs -f --tail=20 web' },
    { comment: 'All containers of selected pods', line: 'orchctl logs -l app=web --all-containers --prefix' },
    { comment: 'The run before the last restart', line: 'orchctl logs -p deployment/web -c main' },
  ],
  flags: logFlags,
  async run(invocation) {
    const { flags } = invocation;
    checkFlags(invocation);
    const { names } = await invocation.session();
    const pods = await podsOfLogs(invocation);
    const sources = pods.flatMap((pod) => sourcesOf(pod, invocation, names));
    if (flags.follow && sources.length > flags.maxLogRequests)
      throw new CommandError(
        `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${flags.maxLogRequests}, use --max-log-requests to increase the limit`,
      );
    const print = (source: LogSource) => printOne(source, invocation);
    if (flags.follow) await Promise.all(sources.map(print));
    else for (const source of sources) await print(source);
    return 0;
  },
});

type LogInvocation = Invocation<LogFlags>;

function checkFlags({ flags, words }: LogInvocation): void {
  if (words.length === 0 && flags.selector === '')
    throw new UsageError("expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'");
  if (words.length > 0 && flags.selector !== '')
    throw new UsageError('only a selector (-l) or a POD name is allowed');
  if (words.length > 2) throw new UsageError("expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'");
  if (flags.container !== '' && words.length === 2)
    throw new UsageError('only one of -c or an inline [CONTAINER] arg is allowed');
  if (flags.since > 0 && flags.sinceTime !== '')
    throw new UsageError('at most one of --since-time or --since may be used');
  if (flags.allContainers && (flags.container !== '' || words.length === 2))
    throw new UsageError('--all-containers=true should not be specified with container name');
}

async function podsOfLogs({ flags, words, io, signal, session }: LogInvocation): Promise<readonly Pod[]> {
  const wait = { ms: flags.podRunningTimeoutMs, io };
  const request: PodRequest = { session: await session(), signal, wait };
  if (flags.selector !== '') {
    const selected = await podsSelected(flags.selector, request);
    if (selected.length === 0)
      io.err.write(`No resources found in ${request.session.namespace} namespace.\n`);
    return selected;
  }
  const [word = ''] = words;
  const pods = await podsOf(await objectOf(word, request), request);
  const [first] = pods;
  if (first === undefined)
    throw new CommandError(`${word} selects no pods in namespace ${request.session.namespace}`);
  if (flags.allPods) return pods;
  if (pods.length > 1) io.err.write(`Found ${pods.length} pods, using pod/${first.metadata.name}\n`);
  return [first];
}

function sourcesOf(pod: Pod, { flags, words, io }: LogInvocation, names: Names): readonly LogSource[] {
  const [, second = ''] = words;
  const given = flags.container === '' ? second : flags.container;
  if (flags.allContainers) return containerNames(pod).map((container) => ({ pod, container }));
  if (given !== '' && !containerNames(pod).includes(given))
    throw new CommandError(`container ${given} is not valid for pod ${pod.metadata.name}`);
  return [{ pod, container: containerOf(pod, given, { err: io.err, names }) }];
}

async function printOne(source: LogSource, { flags, io, signal, session }: LogInvocation): Promise<void> {
  const query = logQuery(flags, source.container);
  const prefix =
    flags.prefix || flags.allPods ? `[pod/${source.pod.metadata.name}/${source.container}] ` : '';
  try {
    await printLog(source, { query, prefix, out: io.out, session: await session(), signal });
  } catch (error) {
    if (!flags.ignoreErrors || signal.aborted) throw error;
    io.err.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
