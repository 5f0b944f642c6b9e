import {
  durationFlag,
  type FlagSpec,
  type FlagValues,
  switchFlag,
  textFlag,
  wholeFlag,
} from '@orch/program/flags';
import { selectorFlags } from '../../cli/flag-sets.ts';
import { podTimeoutFlag } from './pods.ts';

const spec = (name: string, help: string, short?: string): FlagSpec => ({
  name,
  help,
  section: 'Flags',
  ...(short !== undefined && { short }),
});
const MOST = 999_999_999_999_999;

export const logFlags = {
  ...podTimeoutFlag(20_000),
  follow: switchFlag(spec('follow', 'Print further lines until the container ends.', 'f')),
  previous: switchFlag(spec('previous', 'The log of the previous run of the container.', 'p')),
  container: textFlag(spec('container', 'The container; the first one of the pod by default.', 'c')),
  allContainers: switchFlag(spec('all-containers', 'The logs of all containers.')),
  allPods: switchFlag(spec('all-pods', 'The logs of all pods of the object, with --prefix.')),
  prefix: switchFlag(spec('prefix', 'Begin each line with its pod and container.')),
  timestamps: switchFlag(spec('timestamps', 'Begin each line with its time.')),
  tail: wholeFlag(spec('tail', 'Number of last lines; -1 for all, 10 by default with a selector.'), -1, {
    least: -1,
    most: MOST,
  }),
  since: durationFlag(spec('since', 'Lines of the last such as 5s, 2m or 3h.'), 0),
  sinceTime: textFlag(spec('since-time', 'Lines since a time (RFC 3339).')),
  limitBytes: wholeFlag(spec('limit-bytes', 'Maximum number of bytes of each log.'), 0, {
    least: 0,
    most: MOST,
  }),
  selector: selectorFlags.selector,
  maxLogRequests: wholeFlag(
    spec('max-log-requests', 'Maximum number of logs that are followed at once.'),
    5,
    {
      least: 1,
      most: 10_000,
    },
  ),
  ignoreErrors: switchFlag(spec('ignore-errors', 'Continue with other logs when one cannot be read.')),
  skipBackendVerify: switchFlag(
    spec(
      'insecure-skip-tls-verify-backend',
      'The server accepts every certificate of the node. The log may then come from another machine.',
    ),
  ),
} as const;

export type LogFlags = FlagValues<typeof logFlags>;

/** The query of one log. */
export function logQuery(flags: LogFlags, container: string): URLSearchParams {
  const tail = flags.tail < 0 && flags.selector !== '' ? 10 : flags.tail;
  const query = new URLSearchParams({ container });
  for (const [name, isSet] of Object.entries({
    follow: flags.follow,
    previous: flags.previous,
    timestamps: flags.timestamps,
    insecureSkipTLSVerifyBackend: flags.skipBackendVerify,
  }))
    if (isSet) query.set(name, 'true');
  if (flags.since > 0) query.set('sinceSeconds', String(Math.ceil(flags.since / 1000)));
  if (flags.sinceTime !== '') query.set('sinceTime', flags.sinceTime);
  if (tail >= 0) query.set('tailLines', String(tail));
  if (flags.limitBytes > 0) query.set('limitBytes', String(flags.limitBytes));
  return query;
}
