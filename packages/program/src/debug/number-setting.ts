import { badRequest, type DebugEndpoint, textAnswer } from './endpoint.ts';

const BODY_BYTES = 64;

/** A number that may be changed while the program runs. */
export interface NumberSetting {
  /** The name of its flag, without dashes. */
  readonly flag: string;
  readonly summary: string;
  readonly most: number;
  readonly isWhole: boolean;
  read(): number;
  write(value: number): void;
}

/** Reads a setting with GET and changes it with PUT, until the program ends. */
export const settingEndpoint = (setting: NumberSetting): DebugEndpoint => ({
  path: `/debug/flags/${setting.flag}`,
  summary: setting.summary,
  methods: ['GET', 'PUT'],
  async answer({ method, body }) {
    if (method === 'GET') return textAnswer(String(setting.read()));
    const value = numberOf((await body(BODY_BYTES)) ?? '', setting);
    if (value === undefined) {
      const kind = setting.isWhole ? 'a whole number' : 'a number';
      return badRequest(`--${setting.flag} must be ${kind} from 0 to ${setting.most}`);
    }
    setting.write(value);
    return textAnswer(`--${setting.flag} is ${value}`);
  },
});

function numberOf(body: string, { most, isWhole }: NumberSetting): number | undefined {
  const text = body.trim();
  if (!(isWhole ? /^\d+$/ : /^\d+(?:\.\d+)?$/).test(text)) return undefined;
  const value = Number(text);
  return value <= most ? value : undefined;
}
