import type { kinds } from '@orch/client';
import type { Names, Random } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { generatedName } from '@orch/machinery/object-meta';
import { isGiven, UsageError } from '@orch/program/flags';
import { CommandError } from '../../command-error.ts';
import { containerNames } from '../connect/containers.ts';
import { pairsOf } from '../start/pairs.ts';
import { customized } from './custom-profile.ts';
import type { DebugFlags } from './flags.ts';
import { isImageName } from './image-name.ts';
import { profiledContainer, profiledCopy, profiledNodeSpec } from './profiles.ts';

type Pod = kinds.core.Pod;
type PodSpec = kinds.core.PodSpec;
type Container = kinds.core.Container;
export type EphemeralContainer = kinds.core.EphemeralContainer;

/** The request of the user. */
export interface DebugRequest {
  readonly flags: DebugFlags;
  /** The arguments after `--`. */
  readonly args: readonly string[];
  readonly custom: JsonObject | undefined;
  readonly names: Names;
  readonly random: Random;
}

/** A pod to create, and the container to connect to; empty for none. */
export interface DebugPod {
  readonly pod: Pod;
  readonly container: string;
}

const fields = ({ flags, args }: DebugRequest) => {
  const env = pairsOf(flags.env, '--env').map(([name, value]) => ({ name, value }));
  return {
    ...(args.length > 0 && (flags.argumentsOnly ? { args: [...args] } : { command: [...args] })),
    ...(env.length > 0 && { env }),
    ...(flags.image !== '' && { image: flags.image }),
    ...(flags.imagePullPolicy !== '' && { imagePullPolicy: flags.imagePullPolicy }),
  };
};

const streams = ({ flags }: DebugRequest) => ({
  ...(flags.stdin && { stdin: true }),
  ...(flags.tty && { tty: true }),
});

/** The ephemeral container of a request in a pod. */
export function ephemeralContainer(pod: Pod, request: DebugRequest): EphemeralContainer {
  const { flags, custom, names } = request;
  const container: EphemeralContainer = {
    name: newName(pod, request),
    ...fields(request),
    ...streams(request),
    terminationMessagePolicy: 'File',
    ...(flags.target !== '' && { targetContainerName: flags.target }),
  };
  return customized(profiledContainer(container, flags.profile, 'ephemeral'), custom, names);
}

/** The given name, or one that no container of the pod has. */
function newName(pod: Pod, { flags, random }: DebugRequest): string {
  if (flags.container !== '') return flags.container;
  const taken = containerNames(pod);
  for (;;) {
    const name = `debugger-${generatedName('', random)}`;
    if (!taken.includes(name)) return name;
  }
}

/** A pod on a node, in the namespaces of the host that its profile includes. */
export function nodePod(node: string, request: DebugRequest): DebugPod {
  const { flags, custom, names, random } = request;
  const container = flags.container === '' ? 'debugger' : flags.container;
  const bare: Container = {
    ...{ name: container, ...fields(request), ...streams(request) },
    terminationMessagePolicy: 'File',
  };
  const spec = profiledNodeSpec(
    {
      containers: [profiledContainer(bare, flags.profile, 'node')],
      nodeName: node,
      restartPolicy: 'Never',
      tolerations: [{ operator: 'Exists' }],
    },
    flags.profile,
  );
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: `node-debugger-${node}-${generatedName('', random)}` },
    spec: { ...spec, containers: spec.containers.map((one) => customized(one, custom, names)) },
  };
  return { pod, container };
}

/** A copy of a pod with a debugging container, or with a changed one. Throws a `CommandError` without an image for a new one. */
export function copiedPod(pod: Pod, request: DebugRequest): DebugPod {
  const { flags } = request;
  const copy = plainCopy(pod, flags);
  const isKnown = flags.container !== '' && containerNames(copy).includes(flags.container);
  if (!isKnown && flags.image === '') {
    if (flags.setImage.length > 0) return { pod: copy, container: '' };
    throw new CommandError('you must specify image when creating new container');
  }
  const name = isKnown ? flags.container : newName(copy, request);
  const added = { name, terminationMessagePolicy: 'File' };
  const { containers } = copy.spec;
  const spec = { ...copy.spec, containers: isKnown ? containers : [...containers, added] };
  const debugged = withContainer(spec, name, (one) =>
    profiledContainer(changed(one, request), flags.profile, 'copy'),
  );
  const profiled = profiledCopy({ ...copy, spec: debugged }, flags.profile, flags);
  const custom = (one: Container): Container => customized(one, request.custom, request.names);
  return { pod: { ...profiled, spec: withContainer(profiled.spec, name, custom) }, container: name };
}

/** The pod without the fields that belong to the original only, with the images of `--set-image`. */
function plainCopy(pod: Pod, flags: DebugFlags): Pod & { readonly spec: PodSpec } {
  const { namespace, labels, annotations } = pod.metadata;
  const { ephemeralContainers: _, nodeName, ...spec } = pod.spec ?? { containers: [] };
  const imageOf = imageOverrides(flags.setImage);
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      name: flags.copyTo,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
    spec: {
      ...spec,
      containers: spec.containers.map((one) => ({ ...one, ...imageOf(one.name) })),
      ...(flags.sameNode && nodeName !== undefined && { nodeName }),
      ...(isGiven(flags, 'share-processes') && { shareProcessNamespace: flags.shareProcesses }),
    },
  };
}

/** A container with the fields of the flags. A command replaces the arguments, too. */
function changed(container: Container, request: DebugRequest): Container {
  const { stdin: _, tty: _tty, ...rest } = container;
  const given = fields(request);
  const { args: _args, ...withoutArguments } = rest;
  return { ...('command' in given ? withoutArguments : rest), ...given, ...streams(request) };
}

function withContainer(spec: PodSpec, name: string, change: (one: Container) => Container): PodSpec {
  const inList = (list: readonly Container[]): Container[] =>
    list.map((one) => (one.name === name ? change(one) : one));
  return {
    ...spec,
    ...(spec.initContainers !== undefined && { initContainers: inList(spec.initContainers) }),
    containers: inList(spec.containers),
  };
}

/** The image that `NAME=IMAGE` has for a container; `*` is for all that have none. Throws a `UsageError`. */
function imageOverrides(texts: readonly string[]): (container: string) => { readonly image?: string } {
  const images = new Map(pairsOf(texts, '--set-image'));
  for (const [name, image] of images)
    if (!isImageName(image))
      throw new UsageError(
        `invalid image name ${JSON.stringify(image)} for container ${JSON.stringify(name)}`,
      );
  return (container) => {
    const image = images.get(container) ?? images.get('*');
    return image === undefined ? {} : { image };
  };
}
