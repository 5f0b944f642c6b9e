import type { Random } from '@orch/machinery';
import { generatedName } from '@orch/machinery/object-meta';
import { listFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { generator, newMetadata, section } from './generator.ts';

const MAX_INT32 = 2 ** 31 - 1;

export const deployment = generator({
  usage: 'deployment NAME --image=IMAGE [--replicas=COUNT] [--port=PORT] [flags] [-- COMMAND [ARGS...]]',
  about: 'Creates a deployment with a container for each image.',
  examples: [
    { comment: 'A deployment', line: 'orchctl create deployment web --image=example.com/web:1 --replicas=3' },
    { comment: 'With a command', line: 'orchctl create deployment date --image=busybox -- date' },
  ],
  flags: {
    image: listFlag({ name: 'image', help: 'The image of a container; may be repeated.', section }),
    port: wholeFlag({ name: 'port', help: 'The port of the first container.', section }, -1, {
      least: -1,
      most: 65_535,
    }),
    replicas: wholeFlag({ name: 'replicas', short: 'r', help: 'The number of replicas.', section }, 1, {
      least: 0,
      most: MAX_INT32,
    }),
  },
  isNamespaced: true,
  build({ name, command, flags, io }) {
    if (flags.image.length === 0) throw new UsageError('required flag(s) "image" not set');
    if (flags.image.length > 1 && command.length > 0)
      throw new UsageError('cannot specify multiple --image options and command');
    const labels = { app: name };
    const containers = flags.image.map((image, i) => ({
      name: containerName(image, io.env.random),
      image,
      ...(command.length > 0 && { command }),
      ...(i === 0 && flags.port >= 0 && { ports: [{ containerPort: flags.port }] }),
      resources: {},
    }));
    return {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...newMetadata(name), labels } },
      spec: {
        ...{ replicas: flags.replicas, selector: { matchLabels: labels }, strategy: {} },
        template: { metadata: { ...newMetadata(), labels }, spec: { containers } },
      },
      status: {},
    };
  },
});

/** The name of a container: that of the image, with a random suffix if it has characters that names cannot have. */
function containerName(image: string, random: Random): string {
  const name = (image.split('/').at(-1) ?? '').replace(/[:@].*$/, '');
  return /[_.]/.test(name) ? generatedName(`${name.replace(/[_.]/g, '-')}-`, random) : name;
}
