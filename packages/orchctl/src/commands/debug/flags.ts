import {
  choiceFlag,
  durationFlag,
  type FlagSpec,
  type FlagValues,
  type GivenFlags,
  isGiven,
  listFlag,
  switchFlag,
  textFlag,
  UsageError,
} from '@orch/program/flags';
import { fileFlags } from '../../cli/flag-sets.ts';
import { streamFlags } from '../connect/remote-command.ts';
import { isImageName } from './image-name.ts';
import { profileNames } from './profiles.ts';

const spec = (name: string, help: string): FlagSpec => ({ name, help, section: 'Flags' });
const copyFlag = (name: string, what: string, isOn = false) =>
  switchFlag(spec(name, `Keep ${what} in the copy; with --copy-to.`), isOn);

export const debugFlags = {
  filename: fileFlags.filename,
  ...{ stdin: streamFlags.stdin, tty: streamFlags.tty, quiet: streamFlags.quiet },
  container: textFlag({ ...spec('container', 'The name of the debugging container.'), short: 'c' }),
  image: textFlag(spec('image', 'The image of the debugging container.')),
  imagePullPolicy: choiceFlag(
    spec('image-pull-policy', 'When the image is pulled; by default the server decides.'),
    ['', 'Always', 'IfNotPresent', 'Never'],
    '',
  ),
  env: listFlag(spec('env', 'Environment variables KEY=VALUE, separated by commas.')),
  argumentsOnly: switchFlag(
    spec('arguments-only', 'The words after -- are the arguments of the image, not its command.'),
  ),
  target: textFlag(
    spec('target', 'The container whose processes an ephemeral container sees, if the runtime can do that.'),
  ),
  profile: choiceFlag(spec('profile', 'The privileges of the container: see above.'), profileNames, 'legacy'),
  custom: textFlag(spec('custom', 'File with a partial container, YAML or JSON, that changes the profile.')),
  attach: switchFlag(spec('attach', 'Connect to the container when it runs; the default with -i.')),
  podRunningTimeoutMs: durationFlag(
    spec('pod-running-timeout', 'How long to wait until the container runs.'),
    600_000,
  ),
  copyTo: textFlag(spec('copy-to', 'Create a copy of the pod with this name.')),
  replace: switchFlag(spec('replace', 'Delete the pod after it was copied; with --copy-to.')),
  sameNode: switchFlag(spec('same-node', 'Run the copy on the node of the pod; with --copy-to.')),
  setImage: listFlag(
    spec('set-image', 'Images NAME=IMAGE of containers of the copy, * for all; with --copy-to.'),
  ),
  shareProcesses: switchFlag(
    spec('share-processes', 'The containers of the copy see the processes of each other; with --copy-to.'),
    true,
  ),
  keepLabels: copyFlag('keep-labels', 'labels'),
  keepAnnotations: copyFlag('keep-annotations', 'annotations'),
  keepLiveness: copyFlag('keep-liveness', 'liveness probes'),
  keepReadiness: copyFlag('keep-readiness', 'readiness probes'),
  keepStartup: copyFlag('keep-startup', 'startup probes'),
  keepInitContainers: copyFlag('keep-init-containers', 'init containers', true),
} as const;

export type DebugFlags = FlagValues<typeof debugFlags> & GivenFlags;

export const isAttached = (flags: DebugFlags): boolean =>
  isGiven(flags, 'attach') ? flags.attach : flags.stdin;

/** Throws a `UsageError` for flags that contradict or require each other. */
export function checkDebugFlags(flags: DebugFlags, args: readonly string[]): void {
  if (isGiven(flags, 'attach') && flags.attach && flags.image === '' && flags.container === '')
    throw new UsageError('--attach needs --container, or --image for a new container');
  if (flags.copyTo === '') checkWithoutCopy(flags);
  else checkCopy(flags, args);
  if (flags.image !== '' && !isImageName(flags.image))
    throw new UsageError(`invalid image name ${JSON.stringify(flags.image)}`);
  if (flags.tty && !flags.stdin)
    throw new UsageError('-i/--stdin is required for containers with -t/--tty=true');
}

function checkWithoutCopy(flags: DebugFlags): void {
  if (flags.replace) throw new UsageError('--replace may only be used with --copy-to');
  if (flags.sameNode) throw new UsageError('--same-node may only be used with --copy-to');
  if (flags.setImage.length > 0) throw new UsageError('--set-image may only be used with --copy-to');
  if (flags.image === '') throw new UsageError('you must specify --image when not using --copy-to');
}

function checkCopy(flags: DebugFlags, args: readonly string[]): void {
  if (flags.image === '' && flags.setImage.length === 0 && args.length === 0)
    throw new UsageError('you must specify --image, --set-image or command arguments');
  if (args.length > 0 && flags.container === '' && flags.image === '')
    throw new UsageError('a command needs --container, or --image for a new container');
  if (flags.target !== '')
    throw new UsageError('--target is incompatible with --copy-to; use --share-processes instead');
}
