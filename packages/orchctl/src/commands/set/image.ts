import { UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import {
  mapContainers,
  podSpecOf,
  setFlags,
  setOnTargets,
  splitAssignments,
  withPodSpec,
} from './set-command.ts';

export const image = command({
  usage: 'set image (TYPE NAME | TYPE/NAME | -f FILE) CONTAINER=IMAGE... [flags]',
  about: 'Sets the images of containers of pods and of workloads. The container * is all of them.',
  examples: [
    { comment: 'One container', line: 'orchctl set image deployment/web web=example.com/web:2' },
    { comment: 'All containers', line: "orchctl set image deployment/web '*=example.com/web:2'" },
  ],
  flags: setFlags,
  run(invocation) {
    const { objects, assignments } = splitAssignments(invocation.words);
    if (assignments.length === 0) throw new UsageError('at least one image update is required');
    const images = assignments.map((text) => {
      const at = text.indexOf('=');
      return { name: text.slice(0, at), image: text.slice(at + 1) };
    });
    return setOnTargets(invocation, {
      done: 'image updated',
      words: objects,
      change(object, target) {
        const spec = podSpecOf(object, target);
        const names = [...spec.containers, ...(spec.initContainers ?? [])].map(({ name }) => name);
        const missing = images.find(({ name }) => name !== '*' && !names.includes(name));
        if (missing !== undefined)
          throw new CommandError(`unable to find container named ${JSON.stringify(missing.name)}`);
        const imageOf = (name: string) =>
          images.findLast((one) => one.name === name || one.name === '*')?.image;
        return withPodSpec(
          object,
          target,
          mapContainers(spec, (one) => ({ ...one, image: imageOf(one.name) ?? one.image ?? '' })),
        );
      },
    });
  },
});
