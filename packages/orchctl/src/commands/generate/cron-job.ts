import { choiceFlag, textFlag, UsageError } from '@orch/program/flags';
import { generator, newMetadata, section } from './generator.ts';
import { podTemplate } from './job.ts';

export const cronJob = generator({
  usage: "cronjob NAME --image=IMAGE --schedule='0/5 * * * ?' [flags] [-- COMMAND [ARGS...]]",
  about: 'Creates a cron job.',
  examples: [
    {
      comment: 'Every hour',
      line: "orchctl create cronjob hourly --image=busybox --schedule='0 * * * *' -- date",
    },
  ],
  flags: {
    image: textFlag({ name: 'image', help: 'The image of the container.', section }),
    schedule: textFlag({ name: 'schedule', help: 'The schedule in cron format.', section }),
    restart: choiceFlag(
      { name: 'restart', help: 'When containers are restarted.', section },
      ['OnFailure', 'Never'],
      'OnFailure',
    ),
  },
  isNamespaced: true,
  build({ name, command, flags }) {
    const missing = (['image', 'schedule'] as const).filter((flag) => flags[flag] === '');
    if (missing.length > 0)
      throw new UsageError(`required flag(s) ${missing.map((flag) => `"${flag}"`).join(', ')} not set`);
    const template = podTemplate({ name, image: flags.image, command, restartPolicy: flags.restart });
    return {
      ...{ apiVersion: 'batch/v1', kind: 'CronJob', metadata: newMetadata(name) },
      spec: { jobTemplate: { metadata: newMetadata(name), spec: { template } }, schedule: flags.schedule },
      status: {},
    };
  },
});
