import { parseQuantity } from '@orch/machinery/quantity';
import { textFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import {
  type Container,
  isNamed,
  mapContainers,
  podSpecOf,
  section,
  setFlags,
  setOnTargets,
  withPodSpec,
} from './set-command.ts';

type Amounts = Readonly<Record<string, string>>;

export const resources = command({
  usage: 'set resources (TYPE NAME | TYPE/NAME | -f FILE) [--limits=LIMITS] [--requests=REQUESTS] [flags]',
  about:
    'Sets requests and limits of the containers of pods and of workloads. Resources that are not given stay as they are.',
  examples: [
    {
      comment: 'Limits of all containers',
      line: 'orchctl set resources deployment/web --limits=cpu=200m,memory=512Mi',
    },
    {
      comment: 'Requests of one container',
      line: 'orchctl set resources deployment/web -c web --requests=cpu=100m',
    },
  ],
  flags: {
    ...setFlags,
    containers: textFlag(
      { name: 'containers', short: 'c', help: 'The containers; * stands for any characters.', section },
      '*',
    ),
    limits: textFlag({ name: 'limits', help: 'RESOURCE=QUANTITY, separated by commas.', section }),
    requests: textFlag({ name: 'requests', help: 'RESOURCE=QUANTITY, separated by commas.', section }),
  },
  run(invocation) {
    const { flags, words } = invocation;
    const [limits, requests] = [amountsOf(flags.limits), amountsOf(flags.requests)];
    if (limits === undefined && requests === undefined)
      throw new UsageError(
        'you must specify an update to requests or limits (in the form of --requests/--limits)',
      );
    const update = (container: Container): Container => {
      if (!isNamed(flags.containers, container.name)) return container;
      const { resources: now = {} } = container;
      return {
        ...container,
        resources: {
          ...now,
          ...(limits !== undefined && { limits: { ...now.limits, ...limits } }),
          ...(requests !== undefined && { requests: { ...now.requests, ...requests } }),
        },
      };
    };
    return setOnTargets(invocation, {
      done: 'resource requirements updated',
      words,
      change(object, target) {
        const spec = podSpecOf(object, target);
        if (!spec.containers.some(({ name }) => isNamed(flags.containers, name)))
          throw new CommandError(`unable to find container named ${flags.containers}`);
        return withPodSpec(object, target, mapContainers(spec, update));
      },
    });
  },
});

function amountsOf(text: string): Amounts | undefined {
  if (text === '') return undefined;
  const pairs = text.split(',').map((one): [string, string] => {
    const [name = '', amount = '', ...more] = one.split('=');
    if (name === '' || amount === '' || more.length > 0)
      throw new UsageError(`Invalid argument syntax ${one}, expected <resource>=<value>`);
    try {
      parseQuantity(amount);
    } catch {
      throw new UsageError(`${JSON.stringify(amount)} is not a quantity`);
    }
    return [name, amount];
  });
  return Object.fromEntries(pairs);
}
