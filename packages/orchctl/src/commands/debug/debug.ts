import type { kinds } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { UsageError } from '@orch/program/flags';
import { command, type Invocation } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { fileTargets } from '../../resources/targets.ts';
import { type NamedObject, objectOf, type Pod, podClient } from '../connect/pods.ts';
import { attachDebug } from './attach-debug.ts';
import { readCustomProfile } from './custom-profile.ts';
import { copiedPod, type DebugPod, type DebugRequest, ephemeralContainer, nodePod } from './debug-objects.ts';
import { checkDebugFlags, type DebugFlags, debugFlags, isAttached } from './flags.ts';

export const debug = command({
  usage: 'debug (POD | TYPE/NAME | -f FILE)... --image=IMAGE [flags] [-- COMMAND [args...]]',
  about:
    'Starts a container with tools for debugging: an ephemeral container in a pod that runs, a copy of a pod with --copy-to, or a pod on a node with node/NAME. With -i, the command waits until the container runs and connects to it.\n\nAn ephemeral container cannot be removed from its pod. A copy has the volumes, the service account and the environment of its pod; --container names a container to change in it, otherwise one is added. Nothing that this command creates is deleted by it.\n\nThe profile decides about privileges. general: tracing of processes, and on a node its namespaces and its root folder at /host; baseline and restricted: what the security standards of these names permit; netadmin: configuration of the network; sysadmin: a privileged container; legacy: the former behaviour.',
  examples: [
    {
      comment: 'A shell in a pod, with the processes of a container',
      line: 'orchctl debug -it web --image=busybox --target=main --profile=general -- sh',
    },
    {
      comment: 'A copy of a pod with another command',
      line: 'orchctl debug web --copy-to=web-debug -c main --profile=general -- sleep 1d',
    },
    {
      comment: 'A copy with another image',
      line: 'orchctl debug web --copy-to=web-new --set-image=main=example.com/web:2 --profile=general',
    },
    {
      comment: 'A pod on a node',
      line: 'orchctl debug node/n --image=busybox --profile=sysadmin',
    },
  ],
  flags: debugFlags,
  async run(invocation) {
    const { flags, words, io } = invocation;
    const targets = words.slice(0, invocation.wordsBeforeDash ?? words.length);
    const args = words.slice(targets.length);
    if (targets.length === 0 && flags.filename.length === 0)
      throw new UsageError('NAME or filename is required for debug');
    checkDebugFlags(flags, args);
    const custom = readCustomProfile(flags.custom, io.folder);
    if (flags.profile === 'legacy')
      io.err.write('--profile=legacy is deprecated; choose another one, for example --profile=general\n');
    const { names } = await invocation.session();
    const request: DebugRequest = { flags, args, custom, names, random: io.env.random };
    let status = 0;
    for (const target of await objectsOf(invocation, targets)) {
      const { pod, container } = await debugged(invocation, target, request);
      if (isAttached(flags) && container !== '')
        status = (await attachDebug(invocation, pod, container)) || status;
    }
    return status;
  },
});

type DebugInvocation = Invocation<DebugFlags>;

async function objectsOf(
  { flags, io, signal, session: open }: DebugInvocation,
  targets: readonly string[],
): Promise<readonly NamedObject[]> {
  const session = await open();
  const found: NamedObject[] = [];
  for (const word of targets) found.push(await objectOf(word, { session, signal }));
  const files = { filename: flags.filename, recursive: false };
  const named = flags.filename.length === 0 ? [] : await fileTargets({ flags: files, io, session, signal });
  for (const { resource, namespace, name } of named) {
    const object = await session.client.resource(resource, namespace).get(name, undefined, signal);
    found.push({ kind: resource.kind, object });
  }
  return found;
}

function debugged(
  invocation: DebugInvocation,
  { kind, object }: NamedObject,
  request: DebugRequest,
): Promise<DebugPod> {
  switch (kind) {
    case 'Node':
      return onNode(invocation, object.metadata.name ?? '', request);
    case 'Pod':
      return request.flags.copyTo === ''
        ? inPod(invocation, object as Pod, request)
        : asCopy(invocation, object as Pod, request);
    default:
      throw new CommandError(`${kind} ${object.metadata.name} cannot be debugged: name a pod or node/NAME`);
  }
}

async function onNode(
  { flags, io, signal, session: open }: DebugInvocation,
  node: string,
  request: DebugRequest,
): Promise<DebugPod> {
  const { pod, container } = nodePod(node, request);
  const { name } = pod.metadata;
  if (!flags.quiet)
    io.out.write(`Creating debugging pod ${name} with container ${container} on node ${node}.\n`);
  const created = await podClient(await open()).create(pod, {}, signal);
  return { pod: created, container };
}

async function inPod(
  { flags, io, signal, session: open }: DebugInvocation,
  pod: Pod,
  request: DebugRequest,
): Promise<DebugPod> {
  const session = await open();
  const { name = '', namespace = session.namespace } = pod.metadata;
  const container = ephemeralContainer(pod, request);
  if (!flags.quiet && flags.target !== '')
    io.out.write(
      `Targeting container ${JSON.stringify(flags.target)}. Its processes are visible if the container runtime supports this.\n`,
    );
  tellName(request, container.name, io);
  warnOfUser(pod, container, io);
  const patch = { spec: { ephemeralContainers: [container] } };
  const pods = podClient({ ...session, namespace }).subresource<Pod>('ephemeralcontainers');
  try {
    return { pod: await pods.patch.strategic(name, patch, {}, signal), container: container.name };
  } catch (error) {
    if (
      !(error instanceof ApiError) ||
      error.status.code !== 404 ||
      (error.status.details?.name ?? '') !== ''
    )
      throw error;
    throw new CommandError(`ephemeral containers are disabled for this cluster: ${error.message}`);
  }
}

async function asCopy(
  { flags, io, signal, session: open }: DebugInvocation,
  original: Pod,
  request: DebugRequest,
): Promise<DebugPod> {
  const { pod, container } = copiedPod(original, request);
  if (container !== '') tellName(request, container, io);
  const added = pod.spec?.containers.find((one) => one.name === container);
  if (added !== undefined) warnOfUser(pod, added, io);
  const session = await open();
  const pods = podClient({ ...session, namespace: original.metadata.namespace ?? session.namespace });
  const created = await pods.create(pod, {}, signal);
  const { name = '', uid } = original.metadata;
  if (flags.replace)
    await pods.delete(
      name,
      { gracePeriodSeconds: 0, ...(uid !== undefined && { preconditions: { uid } }) },
      signal,
    );
  return { pod: created, container };
}

function tellName({ flags }: DebugRequest, name: string, { out }: DebugInvocation['io']): void {
  if (flags.container === '' && !flags.quiet) out.write(`Defaulting debug container name to ${name}.\n`);
}

/** Warns when a container has privileges that the user of its pod, who is not root, cannot use. */
function warnOfUser(
  pod: Pod,
  { securityContext }: Pick<kinds.core.Container, 'securityContext'>,
  { err }: Pick<Io, 'err'>,
): void {
  const user = pod.spec?.securityContext?.runAsUser ?? 0;
  const isPrivileged =
    securityContext?.privileged === true || (securityContext?.capabilities?.add ?? []).length > 0;
  if (user === 0 || securityContext?.runAsUser === 0 || !isPrivileged) return;
  err.write(
    `Warning: the pod runs as user ${user}, for whom privileges of the profile may have no effect; --custom with "securityContext: {runAsUser: 0}" changes that\n`,
  );
}
