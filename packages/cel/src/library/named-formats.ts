import { validateFormat, validateNamePrefix } from '@orch/machinery/formats';
import { parseTime } from '@orch/machinery/time';
import { PATTERN, TRAVERSAL } from '../functions/call-costs.ts';
import { type Library, member, overload } from '../functions/overload.ts';
import { scale, unknown } from '../functions/range.ts';
import * as types from '../types/type.ts';
import { ArrayList } from '../values/collections.ts';
import { none, OpaqueValue, OptionalValue } from '../values/value.ts';
import { type CostRule, constantCost } from './costs.ts';
import { urlProblem } from './urls.ts';

const TYPE = 'kubernetes.NamedFormat';
const formatType = types.opaque(TYPE);
/** The size of a pattern by which validations are estimated. */
const MAX_PATTERN = 128;

type Check = (text: string) => string | undefined;

class FormatValue extends OpaqueValue {
  readonly typeName = TYPE;
  readonly name: string;
  readonly check: Check;
  /** Length of a regular expression that would check the same. */
  readonly patternSize: number;
  constructor(name: string, check: Check, patternSize: number) {
    super();
    this.name = name;
    this.check = check;
    this.patternSize = patternSize;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }
}

const named =
  (format: string): Check =>
  (text) =>
    validateFormat(format, text);

const prefix =
  (format: string): Check =>
  (text) =>
    validateNamePrefix(format, text);

const matching =
  (pattern: RegExp, message: string): Check =>
  (text) =>
    pattern.test(text) ? undefined : message;

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const isBase64 = (text: string): boolean =>
  text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

const isDateTime = (text: string): boolean => parseTime(text.toUpperCase()) !== undefined;

const formats: readonly FormatValue[] = [
  new FormatValue('dns1123Label', named('dns1123label'), 30),
  new FormatValue('dns1123Subdomain', named('dns1123subdomain'), 60),
  new FormatValue('dns1035Label', named('dns1035label'), 30),
  new FormatValue('qualifiedName', named('qualifiedName'), 60),
  new FormatValue('dns1123LabelPrefix', prefix('dns1123label'), 30),
  new FormatValue('dns1123SubdomainPrefix', prefix('dns1123subdomain'), 60),
  new FormatValue('dns1035LabelPrefix', prefix('dns1035label'), 30),
  new FormatValue('labelValue', named('labelValue'), 40),
  new FormatValue('uri', urlProblem, 1103),
  new FormatValue('uuid', matching(uuid, 'does not match the UUID format'), 70),
  new FormatValue('byte', (text) => (isBase64(text) ? undefined : 'invalid base64'), 84),
  new FormatValue('date', (text) => (parseTime(`${text}T00:00:00Z`) ? undefined : 'invalid date'), 71),
  new FormatValue('datetime', (text) => (isDateTime(text) ? undefined : 'invalid datetime'), 71),
];

const byName = new Map(formats.map((format) => [format.name, format]));

function validate(format: FormatValue, text: string): OptionalValue {
  const problem = format.check(text);
  return problem === undefined ? none : new OptionalValue(new ArrayList([problem]));
}

function formatNamed(name: string): OptionalValue {
  const format = byName.get(name);
  return format === undefined ? none : new OptionalValue(format);
}

const validationCost: CostRule = {
  work: 20,
  cost: ([format, text], evaluation) => {
    const size = format instanceof FormatValue ? format.patternSize : MAX_PATTERN;
    return Math.ceil((1 + evaluation.sizeOf(text)) * TRAVERSAL) * Math.ceil(size * PATTERN);
  },
  estimate: ([, text]) => ({ cost: scale(scale(text?.size ?? unknown, TRAVERSAL), MAX_PATTERN * PATTERN) }),
};

const texts = types.list(types.string);

export const namedFormats: Library = {
  name: 'format',
  functions: {
    'format.named': [
      overload('format-named', [[types.string], types.optional(formatType)], formatNamed, constantCost(1)),
    ],
    validate: [
      member(
        'format-validate',
        [[formatType, types.string], types.optional(texts)],
        validate,
        validationCost,
      ),
    ],
    ...Object.fromEntries(
      formats.map((format) => [
        `format.${format.name}`,
        [overload(`format.${format.name}`, [[], formatType], () => format)],
      ]),
    ),
  },
};
