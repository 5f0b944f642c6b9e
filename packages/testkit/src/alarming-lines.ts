interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly code?: number;
}

const SERVER_ERROR = 500;

/** Reports a request that was answered without an error, though slowly: the machine of the tests may be busy. */
const isSlowOnly = ({ msg, code }: LogLine): boolean =>
  msg === 'request was slow or failed' && code !== undefined && code < SERVER_ERROR;

/** The lines of warnings and errors in the JSON log of a program, without those about requests that were only slow. */
export const alarmingLines = (output: string): readonly string[] =>
  output
    .split('\n')
    .filter((line) => /"level":"(?:warn|error)"/.test(line))
    .filter((line) => !isSlowOnly(JSON.parse(line) as LogLine));
