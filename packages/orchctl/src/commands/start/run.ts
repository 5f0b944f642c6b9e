import { choiceFlag, listFlag, switchFlag, textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { commonFlags, createObject, newMetadata, section, textsFlag } from '../generate/generator.ts';
import { WriteReport } from '../write/report-write.ts';
import { attachedRun, attachFlags, checkAttachFlags, isAttached } from './attached-run.ts';
import { labelMap } from './label-map.ts';
import { overridden, overrideFlags } from './overrides.ts';
import { pairsOf } from './pairs.ts';

const flags = {
  ...commonFlags,
  ...overrideFlags,
  image: textFlag({ name: 'image', help: 'The image of the container.', section }),
  annotations: textsFlag({ name: 'annotations', help: 'An annotation KEY=VALUE; may be repeated.', section }),
  command: switchFlag({ name: 'command', help: 'The arguments replace the command of the image.', section }),
  env: textsFlag({ name: 'env', help: 'An environment variable KEY=VALUE; may be repeated.', section }),
  expose: switchFlag({ name: 'expose', help: 'Create a service for --port, too.', section }),
  imagePullPolicy: choiceFlag(
    {
      name: 'image-pull-policy',
      help: 'When the image is pulled; by default the server decides.',
      section,
    },
    ['', 'Always', 'IfNotPresent', 'Never'],
    '',
  ),
  labels: listFlag({ name: 'labels', short: 'l', help: 'Labels KEY=VALUE, instead of run=NAME.', section }),
  port: wholeFlag({ name: 'port', help: 'The port of the container.', section }, 0, {
    least: 1,
    most: 65_535,
  }),
  privileged: switchFlag({ name: 'privileged', help: 'Run the container in privileged mode.', section }),
  ...attachFlags,
  restart: choiceFlag(
    { name: 'restart', help: 'The restart policy of the pod.', section },
    ['Always', 'OnFailure', 'Never'],
    'Always',
  ),
} as const;

export const run = command({
  usage: 'run NAME --image=IMAGE [--port=PORT] [--env=KEY=VALUE] [flags] [-- ARGUMENTS...]',
  about:
    'Creates a pod with one container. The arguments after -- are those of the image, or its command with --command.\n\nWith -i or --attach, the command waits until the pod runs and connects to it. With a restart policy other than Always, the exit status is that of the container. --rm deletes the pod afterwards.',
  examples: [
    { comment: 'A pod', line: 'orchctl run web --image=example.com/web:1 --port=80' },
    { comment: 'With arguments', line: 'orchctl run once --image=busybox --restart=Never -- date -u' },
    {
      comment: 'A shell in a pod that is deleted afterwards',
      line: 'orchctl run -it --rm shell --image=busybox --restart=Never -- sh',
    },
    {
      comment: 'Print the object only',
      line: 'orchctl run web --image=example.com/web:1 --dry-run=client -o yaml',
    },
  ],
  flags,
  async run(invocation) {
    const { flags: given, words, io, globals } = invocation;
    const [name, ...args] = words;
    if (name === undefined) throw new UsageError('NAME is required for run');
    if (given.image === '') throw new UsageError('required flag(s) "image" not set');
    if (/\s/.test(given.image)) throw new UsageError(`Invalid image name ${JSON.stringify(given.image)}`);
    if (given.expose && given.port === 0) throw new UsageError('--port must be set when exposing a service');
    checkAttachFlags(given);
    const report = new WriteReport(io, given);
    const labels = given.labels.length === 0 ? { run: name } : labelMap(given.labels.join(','), '--labels');
    const namespace = globals.namespace === '' ? {} : { namespace: globals.namespace };
    if (given.expose) {
      const { port } = given;
      const service = {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { ...newMetadata(name), ...namespace } },
        spec: { ports: [{ port, protocol: 'TCP', targetPort: port }], selector: labels },
        status: { loadBalancer: {} },
      };
      await createObject(invocation, service, { report, action: 'created' });
    }
    const annotations = pairsOf(given.annotations, '--annotations');
    const pod = {
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: {
        ...{ ...newMetadata(name), ...namespace, labels },
        ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
      },
      spec: {
        containers: [containerOf(name, args, given)],
        ...{ dnsPolicy: 'ClusterFirst', restartPolicy: given.restart },
      },
      status: {},
    };
    const action = 'created';
    if (isAttached(given))
      return attachedRun(invocation, await createObject(invocation, overridden(pod, given), { action }));
    await createObject(invocation, overridden(pod, given), { report, action });
    report.end();
    return 0;
  },
});

interface ContainerFlags {
  readonly image: string;
  readonly command: boolean;
  readonly env: readonly string[];
  readonly imagePullPolicy: string;
  readonly port: number;
  readonly privileged: boolean;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly leaveStdinOpen: boolean;
}

function containerOf(name: string, args: readonly string[], given: ContainerFlags) {
  const env = pairsOf(given.env, '--env').map(([key, value]) => ({ name: key, value }));
  return {
    ...{ name, image: given.image, resources: {} },
    ...(args.length > 0 && (given.command ? { command: args } : { args })),
    ...(env.length > 0 && { env }),
    ...(given.imagePullPolicy !== '' && { imagePullPolicy: given.imagePullPolicy }),
    ...(given.port > 0 && { ports: [{ containerPort: given.port }] }),
    ...(given.stdin && { stdin: true, ...(!given.leaveStdinOpen && { stdinOnce: true }) }),
    ...(given.tty && { tty: true }),
    ...(given.privileged && { securityContext: { privileged: true } }),
  };
}
