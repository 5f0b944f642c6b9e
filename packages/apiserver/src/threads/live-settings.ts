import type { LogVerbosity } from '@orch/machinery';
import type { AccessLogSample } from '@orch/pipeline';

/** A setting that changes while the server runs. */
export interface ChangedSetting {
  readonly name: 'verbosity' | 'accessLogSample';
  readonly value: number;
}

/** The settings of one thread that `/debug/flags` changes. */
export interface OwnSettings {
  readonly verbosity: LogVerbosity;
  readonly accessLogSample: AccessLogSample;
}

/** Changes a setting of this thread. */
export function applySetting(
  { verbosity, accessLogSample }: OwnSettings,
  { name, value }: ChangedSetting,
): void {
  if (name === 'verbosity') verbosity.level = value;
  else accessLogSample.share = value;
}

/** The settings of a thread, whose changes are also announced to the other threads. */
export const announcedSettings = (
  own: OwnSettings,
  announce: (changed: ChangedSetting) => void,
): OwnSettings => {
  const change = (changed: ChangedSetting): void => {
    applySetting(own, changed);
    announce(changed);
  };
  return {
    verbosity: {
      get level() {
        return own.verbosity.level;
      },
      set level(value) {
        change({ name: 'verbosity', value });
      },
    },
    accessLogSample: {
      get share() {
        return own.accessLogSample.share;
      },
      set share(value) {
        change({ name: 'accessLogSample', value });
      },
    },
  };
};
