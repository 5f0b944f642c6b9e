import type { kinds } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { asText } from '@orch/machinery/json';
import { textFlag, UsageError } from '@orch/program/flags';
import { readResourceWords } from '../../resources/resource-words.ts';
import { type GeneratorInput, generator, newMetadata, section } from './generator.ts';

export const job = generator({
  usage: 'job NAME (--image=IMAGE [-- COMMAND [ARGS...]] | --from=cronjob/NAME) [flags]',
  about: 'Creates a job from an image, or from the template of a cron job.',
  examples: [
    { comment: 'A job', line: 'orchctl create job once --image=busybox -- date' },
    { comment: 'A run of a cron job', line: 'orchctl create job now --from=cronjob/nightly' },
  ],
  flags: {
    image: textFlag({ name: 'image', help: 'The image of the container.', section }),
    from: textFlag({ name: 'from', help: 'The cron job whose template is used: cronjob/NAME.', section }),
  },
  isNamespaced: true,
  async build(input) {
    const { name, command, flags } = input;
    if ((flags.image === '') === (flags.from === ''))
      throw new UsageError('either --image or --from must be specified');
    if (flags.from !== '' && command.length > 0) throw new UsageError('cannot specify --from and command');
    if (flags.from !== '') return fromCronJob(flags.from, input);
    return {
      ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: newMetadata(name) },
      spec: { template: podTemplate({ name, image: flags.image, command, restartPolicy: 'Never' }) },
      status: {},
    };
  },
});

interface PodTemplate {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly restartPolicy: string;
}

/** The template of a pod with one container. */
export const podTemplate = ({ name, image, command, restartPolicy }: PodTemplate): object => ({
  metadata: newMetadata(),
  spec: {
    containers: [{ name, image, ...(command.length > 0 && { command }), resources: {} }],
    restartPolicy,
  },
});

async function fromCronJob(
  from: string,
  { name, session: open, signal }: GeneratorInput<unknown>,
): Promise<ApiObject> {
  const session = await open();
  const [named, ...more] = await readResourceWords([from], session.resources);
  const [cronName = '', ...others] = named?.names ?? [];
  if (
    named === undefined ||
    named.resource.kind !== 'CronJob' ||
    more.length + others.length > 0 ||
    cronName === ''
  )
    throw new UsageError('from must be an existing cronjob');
  const client = session.client.resource<kinds.batch.CronJob>(named.resource, session.namespace);
  const cronJob = await client.get(cronName, {}, signal);
  const { metadata = {}, spec } = cronJob.spec?.jobTemplate ?? {};
  const owner = { name: cronName, uid: asText(cronJob.metadata.uid), controller: true };
  return {
    ...{ apiVersion: 'batch/v1', kind: 'Job' },
    metadata: {
      ...newMetadata(name),
      annotations: { [instantiated(session.names.labelPrefixes.domain)]: 'manual', ...metadata.annotations },
      ...(metadata.labels !== undefined && { labels: metadata.labels }),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', ...owner }],
    },
    spec,
    status: {},
  };
}

/** The annotation of jobs that were not started by the schedule. */
const instantiated = (domain: string): string => `cronjob.${domain}instantiate`;
